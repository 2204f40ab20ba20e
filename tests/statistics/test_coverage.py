"""Does a 95% interval hold the truth 95% of the time? 2,000 simulated runs with a known truth.

With 2,000 runs the share itself has a standard error of 0.5 points, so 93% to 97% is four of them
to each side. Where few scenes decide, the intervals are cautious by intent, and only the lower
limit is held.
"""

from __future__ import annotations

import numpy as np
import pytest

from snellen.statistics.bootstrap import scene_weights
from snellen.statistics.intervals import difference as independent_difference
from snellen.statistics.intervals import wilson, wilson_rate
from snellen.statistics.scene_rates import difference, paired_difference, rate
from snellen.vision.arrays import F64
from tests.statistics.simulated_runs import clustered, scene_rates

RUNS = 2000
PAIRED_RUNS = 1000
"""An interval of a difference takes three times as long: 93% to 97% is three standard errors."""
MORE = pytest.mark.thorough


def covered(low: F64, high: F64, truth: float | F64) -> float:
    return float(np.mean((low <= truth) & (truth <= high)))


@pytest.mark.parametrize(("rate", "cases"), [(0.05, 300), (0.1, 100), (0.3, 50), (0.5, 400)])
def test_wilson_covers_as_it_says(rate: float, cases: int) -> None:
    failing = np.random.default_rng(1).binomial(cases, rate, RUNS)
    assert 0.93 <= covered(*wilson(failing, cases), rate) <= 0.97


def test_wilson_covers_as_it_says_on_average_over_rates() -> None:
    # For a single rate the coverage jumps with it, since counts are integers: summed over the
    # binomial it is 97.0% at a rate of 0.1 in 50 cases and 93.5% at 0.5. The average is nominal.
    rng = np.random.default_rng(2)
    rates, cases = rng.uniform(0, 1, RUNS), rng.integers(20, 200, RUNS)
    assert 0.93 <= covered(*wilson(rng.binomial(cases, rates), cases), rates) <= 0.97


def test_newcombes_difference_covers_as_it_says() -> None:
    rng = np.random.default_rng(4)
    first, second = rng.binomial(120, 0.18, RUNS), rng.binomial(120, 0.045, RUNS)
    gaps = [
        independent_difference(wilson_rate(a, 120), wilson_rate(b, 120))
        for a, b in zip(first.tolist(), second.tolist(), strict=True)
    ]
    low, high = np.array([(gap.low, gap.high) for gap in gaps]).T
    assert 0.93 <= covered(low, high, 0.18 - 0.045) <= 0.97


@pytest.mark.parametrize(
    ("scenes", "truth", "likeness"),
    [
        (60, 0.1, 0.2),
        *[pytest.param(*one, marks=MORE) for one in ((60, 0.5, 0.2), (120, 0.05, 0.1))],
        *[pytest.param(*one, marks=MORE) for one in ((200, 0.02, 0.1), (200, 0.1, 0.3))],
    ],
)
def test_the_rate_by_scene_covers_as_it_says(scenes: int, truth: float, likeness: float) -> None:
    share, _ = _rate_coverage(scenes, truth, likeness)
    assert 0.93 <= share <= 0.985


@pytest.mark.parametrize(
    ("scenes", "truth", "likeness"),
    [
        (24, 0.02, 0.3),
        *[pytest.param(*one, marks=MORE) for one in ((24, 0.1, 0.2), (60, 0.02, 0.3))],
    ],
)
def test_the_rate_by_scene_is_never_too_sure_when_few_scenes_fail(
    scenes: int, truth: float, likeness: float
) -> None:
    share, percentile = _rate_coverage(scenes, truth, likeness)
    assert share >= 0.94
    assert percentile < 0.93  # the plain percentile bootstrap


def _rate_coverage(scenes: int, truth: float, likeness: float) -> tuple[float, float]:
    rng = np.random.default_rng(5)
    failing, cases = clustered(rng, RUNS, scenes, truth, likeness)
    weights = scene_weights(scenes, 800, rng)
    pairs = zip(failing, cases, strict=True)
    rates = [rate(k, n) for k, n in pairs]
    low, high = np.array([(one.low, one.high) for one in rates]).T
    plain = np.quantile((weights @ failing.T) / (weights @ cases.T), [0.025, 0.975], axis=0)
    return covered(low, high, truth), covered(plain[0], plain[1], truth)


def _two_subjects(
    rng: np.random.Generator, scenes: int, first: float, second: float, shared: float
) -> tuple[F64, F64, F64]:
    """Failing cases of two subjects and their common cases, with a common difficulty of scenes."""
    cases = rng.integers(3, 16, (PAIRED_RUNS, scenes))
    hard = scene_rates(rng, (PAIRED_RUNS, scenes), shared, 0.3) / shared
    a = rng.binomial(cases, np.minimum(first * hard, 1)).astype(float)
    b = rng.binomial(cases, np.minimum(second * hard, 1)).astype(float)
    return a, b, cases.astype(float)


@pytest.mark.parametrize(
    ("scenes", "first", "second"), [(60, 0.3, 0.2), pytest.param(150, 0.1, 0.1, marks=MORE)]
)
def test_the_paired_difference_covers_as_it_says(scenes: int, first: float, second: float) -> None:
    rng = np.random.default_rng(6)
    a, b, cases = _two_subjects(rng, scenes, first, second, 0.3)
    gaps = [paired_difference(x, y, n) for x, y, n in zip(a, b, cases, strict=True)]
    low, high = np.array([(gap.low, gap.high) for gap in gaps]).T
    assert 0.93 <= covered(low, high, first - second) <= 0.97


def test_the_paired_difference_is_never_too_sure_when_few_scenes_differ() -> None:
    rng = np.random.default_rng(7)
    a, b, cases = _two_subjects(rng, 40, 0.015, 0.005, 0.3)
    gaps = [paired_difference(x, y, n) for x, y, n in zip(a, b, cases, strict=True)]
    low, high = np.array([(gap.low, gap.high) for gap in gaps]).T
    assert covered(low, high, 0.01) >= 0.94


def test_failures_less_controls_cover_as_they_say() -> None:
    rng = np.random.default_rng(8)
    failing, cases = clustered(rng, PAIRED_RUNS, 100, 0.18, 0.2)
    control, controls = clustered(rng, PAIRED_RUNS, 100, 0.045, 0.1)
    rows = zip(failing, cases, control, controls, strict=True)
    gaps = [difference(k, n, c, m) for k, n, c, m in rows]
    low, high = np.array([(gap.low, gap.high) for gap in gaps]).T
    assert 0.93 <= covered(low, high, 0.18 - 0.045) <= 0.97
