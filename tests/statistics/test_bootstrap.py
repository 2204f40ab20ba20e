from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from snellen.statistics.bootstrap import (
    Method,
    difference_of_ratios,
    interval_by_scene,
    percentile_interval,
    ratio,
    scene_weights,
    standard_error,
    weighted_sums,
)
from snellen.vision.arrays import F64
from tests.statistics.simulated_runs import clustered


@pytest.fixture
def rows() -> F64:
    failing, cases = clustered(np.random.default_rng(3), 1, 80, 0.2, 0.2)
    return np.stack([failing[0], cases[0]], axis=1)


def test_weights_are_draws_of_scenes_with_replacement() -> None:
    weights = scene_weights(50, 20_000, np.random.default_rng(1))
    assert weights.shape == (20_000, 50)
    assert np.all(weights.sum(axis=1) == 50)
    expected = stats.binom.pmf(np.arange(6), 50, 1 / 50)
    found = [np.mean(weights == times) for times in range(6)]
    assert np.allclose(found, expected, atol=2e-3)
    assert np.corrcoef(weights[:, 0], weights[:, 1])[0, 1] == pytest.approx(-1 / 49, abs=0.025)


def test_the_same_seed_gives_the_same_weights() -> None:
    first, second = (scene_weights(9, 5, np.random.default_rng(7)) for _ in range(2))
    assert np.array_equal(first, second)


def test_sums_worked_in_pieces_are_the_product() -> None:
    weights = scene_weights(700, 300, np.random.default_rng(1))
    rows = np.random.default_rng(2).integers(0, 9, (700, 30)).astype(float)
    assert np.array_equal(weighted_sums(weights, rows), weights @ rows)


@pytest.mark.parametrize("method", ["percentile", "bca"])
def test_reweighting_agrees_with_scipys_resampling(rows: F64, method: Method) -> None:
    def rate(failing: F64, cases: F64, axis: int = -1) -> F64:
        return np.asarray(failing.sum(axis=axis) / cases.sum(axis=axis))

    reference = stats.bootstrap(
        (rows[:, 0], rows[:, 1]),  # type: ignore[arg-type]
        rate,
        n_resamples=40_000,
        paired=True,
        vectorized=True,
        method=method,  # type: ignore[arg-type]
        batch=5_000,
        rng=np.random.default_rng(2),
    ).confidence_interval
    weights = scene_weights(len(rows), 40_000, np.random.default_rng(1))
    ours = interval_by_scene(rows, ratio, weights, method)
    assert (ours.low, ours.high) == pytest.approx(tuple(reference), abs=2e-3)


def test_the_studentised_interval_is_what_a_loop_over_resamples_gives(rows: F64) -> None:
    weights = scene_weights(len(rows), 400, np.random.default_rng(1))
    value = rows[:, 0].sum() / rows[:, 1].sum()
    pivots = []
    for weight in weights:
        drawn = np.repeat(rows, weight.astype(int), axis=0)
        own = drawn[:, 0].sum() / drawn[:, 1].sum()
        pivots.append((own - value) / _error(drawn))
    low, high = np.quantile(pivots, [0.025, 0.975], method="nearest")
    found = interval_by_scene(rows, ratio, weights)
    assert found.value == value
    assert found.low == pytest.approx(value - high * _error(rows))
    assert found.high == pytest.approx(value - low * _error(rows))


def _error(rows: F64) -> float:
    """The textbook (linearised) standard error of a ratio estimator."""
    value = rows[:, 0].sum() / rows[:, 1].sum()
    residuals = rows[:, 0] - value * rows[:, 1]
    return float(np.sqrt(len(rows) * residuals.var(ddof=1)) / rows[:, 1].sum())


def test_the_standard_error_is_the_textbooks(rows: F64) -> None:
    assert standard_error(rows, ratio) == pytest.approx(_error(rows))


def test_the_standard_error_of_a_mean_is_the_textbooks() -> None:
    values = np.random.default_rng(1).normal(3, 2, 40)
    rows = np.stack([values, np.ones(40)], axis=1)
    assert standard_error(rows, ratio) == pytest.approx(stats.sem(values))


@pytest.mark.parametrize(("statistic", "terms"), [(ratio, 2), (difference_of_ratios, 4)])
def test_gradients_are_those_of_finite_differences(statistic, terms: int) -> None:  # type: ignore[no-untyped-def]
    sums = np.random.default_rng(1).uniform(1, 5, terms)
    steps = 1e-6 * np.eye(terms)
    numeric = (statistic(sums + steps)[0] - statistic(sums - steps)[0]) / 2e-6
    assert np.allclose(statistic(sums)[1], numeric, atol=1e-8)


def test_the_difference_of_a_subject_and_itself_is_exactly_nothing(rows: F64) -> None:
    weights = scene_weights(len(rows), 200, np.random.default_rng(1))
    both = np.concatenate([rows, rows], axis=1)
    found = interval_by_scene(both, difference_of_ratios, weights, "percentile")
    assert (found.value, found.low, found.high) == (0.0, 0.0, 0.0)


def test_draws_without_a_case_are_left_out() -> None:
    rows = np.array([[1.0, 2.0], [0.0, 0.0], [0.0, 0.0]])
    weights = scene_weights(3, 500, np.random.default_rng(1))
    found = interval_by_scene(rows, ratio, weights, "percentile")
    assert (found.low, found.high) == (0.5, 0.5)


def test_the_percentile_interval_of_any_statistic_ignores_missing_replicates() -> None:
    replicates = np.append(np.linspace(0, 1, 101), np.nan)
    found = percentile_interval(0.5, replicates, 0.9)
    assert (found.low, found.high) == pytest.approx((0.05, 0.95))
    assert np.isnan(percentile_interval(np.nan, [np.nan]).low)


def test_weights_of_other_scenes_are_refused(rows: F64) -> None:
    with pytest.raises(ValueError, match="80 scenes, but weights for 79"):
        interval_by_scene(rows, ratio, scene_weights(79, 10, np.random.default_rng(1)))
    with pytest.raises(ValueError, match="at least 1 scene"):
        scene_weights(0, 10, np.random.default_rng(1))
