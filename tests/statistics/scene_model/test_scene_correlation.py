"""The likelihood and the moments of beta-binomial scenes, against scipy's."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from snellen.statistics.scene_counts import SceneCounts, scene_counts
from snellen.statistics.scene_model.scene_correlation import (
    CORRELATIONS,
    design_effects,
    log_likelihood,
    posterior,
    prior,
)
from snellen.statistics.scene_model.scene_skewness import rate_skewness

RATES = np.array([0.05, 0.3, 0.8])


def counts(seed: int, scenes: int, chance: float, icc: float) -> SceneCounts:
    rng = np.random.default_rng(seed)
    cases = rng.integers(1, 12, scenes)
    scale = (1 - icc) / icc
    own = rng.beta(chance * scale, (1 - chance) * scale, scenes)
    return scene_counts(rng.binomial(cases, own), cases)


def test_the_likelihood_is_that_of_a_beta_binomial_up_to_its_damping() -> None:
    data = counts(1, 30, 0.2, 0.2)
    wanted = np.empty((len(RATES), len(CORRELATIONS)))
    for place, rate in enumerate(RATES.tolist()):
        wanted[place, 0] = np.sum(stats.binom.logpmf(data.events, data.cases, rate))
        for column, icc in enumerate(CORRELATIONS[1:].tolist(), 1):
            scale = (1 - icc) / icc
            a, b = rate * scale, (1 - rate) * scale
            wanted[place, column] = np.sum(stats.betabinom.logpmf(data.events, data.cases, a, b))
    found = log_likelihood(data, RATES)
    steps = np.diff(found, axis=1) / np.diff(wanted, axis=1)
    assert steps == pytest.approx(steps[0, 0])
    assert 0.8 < steps[0, 0] < 1


def test_single_cases_say_nothing_about_correlation() -> None:
    data = scene_counts([1, 0, 0, 1, 0], np.ones(5))
    found = log_likelihood(data, RATES)
    assert found == pytest.approx(found[:, :1] * np.ones(len(CORRELATIONS)))
    assert posterior(found[0], prior()) == pytest.approx(prior())


@pytest.mark.parametrize("icc", [0.01, 0.2, 0.6])
def test_many_scenes_find_their_correlation(icc: float) -> None:
    data = counts(2, 4000, 0.3, icc)
    weights = posterior(log_likelihood(data, np.array([data.rate]))[0], prior())
    assert weights @ CORRELATIONS == pytest.approx(icc, abs=0.1)


def test_the_prior_expects_less_correlation_with_a_larger_tilt() -> None:
    means = [prior(tilt) @ CORRELATIONS for tilt in (1.0, 1.5, 2.5)]
    assert sorted(means, reverse=True) == means
    assert prior().sum() == pytest.approx(1)


def test_design_effects_are_those_of_kish() -> None:
    found = design_effects(scene_counts([0, 0, 0], [1, 1, 8]))
    assert found == pytest.approx(1 + (66 / 10 - 1) * CORRELATIONS)


def test_lopsided_scenes_move_only_the_bound_on_their_side() -> None:
    cases = np.r_[np.full(40, 5.0), 100, 120]
    failing = np.r_[np.tile([0.0, 1.0], 20), 80, 90]
    weights = prior()
    found = rate_skewness(scene_counts(failing, cases), weights, 6.0)
    other = rate_skewness(scene_counts(cases - failing, cases), weights, 6.0)
    assert found.above > 0
    assert found.below == 0
    assert (other.above, other.below) == pytest.approx((found.below, found.above))
    assert found.upper(-2.0) < -2.0
    assert found.lower(-2.0) == -2.0
    even = rate_skewness(scene_counts(np.full(10, 2), np.full(10, 4)), weights, 5.0)
    assert (even.above, even.below) == (0, 0)
