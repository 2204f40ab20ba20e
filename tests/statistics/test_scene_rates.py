from __future__ import annotations

import math
from functools import cache

import numpy as np
import pytest
from scipy import stats

from snellen.statistics.bootstrap import scene_weights
from snellen.statistics.intervals import wilson
from snellen.statistics.scene_rates import (
    effective_cases,
    rate_by_scene,
    rate_difference_by_scene,
)
from snellen.vision.arrays import F64
from tests.statistics.simulated_runs import clustered


@cache
def weights(scenes: int) -> F64:
    return scene_weights(scenes, 1000, np.random.default_rng(1))


def test_no_failure_does_not_mean_no_doubt() -> None:
    rate = rate_by_scene(np.zeros(24), np.full(24, 10), weights(24))
    assert (rate.value, rate.low) == (0.0, 0.0)
    assert rate.high == pytest.approx(float(wilson(0, 24)[1]))
    assert rate.method == "wilson, a scene as one case"
    assert (rate.failing, rate.cases) == (0, 240)


def test_all_failing_mirrors_none_failing() -> None:
    none = rate_by_scene(np.zeros(24), np.full(24, 10), weights(24))
    every = rate_by_scene(np.full(24, 10), np.full(24, 10), weights(24))
    assert (every.value, every.high) == (1.0, 1.0)
    assert every.low == pytest.approx(1 - none.high)


def test_a_known_design_effect_narrows_the_interval_of_no_failure() -> None:
    rate = rate_by_scene(np.zeros(24), np.full(24, 10), weights(24), design_effect=2.0)
    assert rate.high == pytest.approx(float(wilson(0, 120)[1]))
    hopeless = rate_by_scene(np.zeros(24), np.full(24, 10), weights(24), design_effect=99.0)
    assert hopeless.high == pytest.approx(float(wilson(0, 24)[1]))


def test_no_cases_say_nothing() -> None:
    rate = rate_by_scene(np.zeros(5), np.zeros(5), weights(5))
    assert math.isnan(rate.value)
    assert (rate.low, rate.high) == (0.0, 1.0)


def test_one_scene_is_one_case_however_many_it_made() -> None:
    rate = rate_by_scene([30], [100], weights(1))
    assert rate.value == 0.3
    assert (rate.low, rate.high) == pytest.approx(tuple(map(float, wilson(0.3, 1))))


def test_few_failing_scenes_are_not_left_to_the_bootstrap() -> None:
    failing = np.zeros(50)
    failing[:3] = [1, 2, 1]
    rate = rate_by_scene(failing, np.full(50, 10), weights(50))
    assert rate.method == "wilson, effective cases"
    assert 0 < rate.low < rate.value < rate.high
    failing[:12] = 1
    assert "bootstrap" in rate_by_scene(failing, np.full(50, 10), weights(50)).method


def test_cases_that_fail_together_are_worth_fewer() -> None:
    cases = np.full(100, 10.0)
    spread, lumped = np.full(100, 1.0), np.where(np.arange(100) < 10, 10.0, 0.0)
    assert effective_cases(spread, cases)[0] > 950
    assert effective_cases(lumped, cases)[0] < 100
    kish = effective_cases(np.zeros(3), np.array([1.0, 1.0, 8.0]))[0]
    assert kish == pytest.approx(100 / 66)


def test_scenes_not_cases_decide_the_width() -> None:
    rng = np.random.default_rng(5)
    failing, cases = clustered(rng, 1, 100, 0.3, 0.5)
    by_scene = rate_by_scene(failing[0], cases[0], weights(100))
    by_case = wilson(failing.sum(), cases.sum())
    assert by_scene.high - by_scene.low > 1.5 * float(by_case[1] - by_case[0])


def test_ends_never_leave_the_possible() -> None:
    for seed in range(200):
        rng = np.random.default_rng(seed)
        failing, cases = clustered(rng, 2, 12, 0.9, 0.6)
        rate = rate_by_scene(failing[0], cases[0], weights(12))
        assert 0 <= rate.low <= rate.value <= rate.high <= 1
        gap = rate_difference_by_scene(
            (failing[0], cases[0]), (cases[1] - failing[1], cases[1]), weights(12)
        )
        assert -1 <= gap.low <= gap.value <= gap.high <= 1


def test_two_subjects_without_any_failure_may_still_differ() -> None:
    zero, cases = np.zeros(40), np.full(40, 5)
    gap = rate_difference_by_scene((zero, cases), (zero, cases), weights(40))
    assert gap.value == 0
    assert gap.low == -gap.high < -0.05
    assert gap.method.startswith("newcombe")


def test_pairing_narrows_the_difference_of_two_subjects_that_fail_alike() -> None:
    rng = np.random.default_rng(8)
    failing, cases = clustered(rng, 1, 150, 0.4, 0.5)
    better = rng.binomial(failing[0].astype(int), 0.8).astype(float)
    first, second = (failing[0], cases[0]), (better, cases[0])
    paired = rate_difference_by_scene(first, second, weights(150))
    order = rng.permutation(150)
    apart = rate_difference_by_scene(first, (better[order], cases[0][order]), weights(150))
    assert paired.low > 0
    assert paired.high - paired.low < 0.6 * (apart.high - apart.low)


def test_the_difference_changes_sign_when_the_subjects_change_places() -> None:
    failing, cases = clustered(np.random.default_rng(2), 2, 60, 0.3, 0.2)
    a, b = (failing[0], cases[0]), (failing[1], cases[1])
    there, back = (rate_difference_by_scene(*pair, weights(60)) for pair in ((a, b), (b, a)))
    assert there.value == pytest.approx(-back.value)
    assert (there.low, there.high) == pytest.approx((-back.high, -back.low), abs=2e-3)


def test_a_control_without_failures_keeps_its_doubt_in_the_difference() -> None:
    failing, cases = clustered(np.random.default_rng(2), 1, 60, 0.3, 0.1)
    control = (np.zeros(60), np.full(60, 1.0))
    gap = rate_difference_by_scene((failing[0], cases[0]), control, weights(60))
    rate = rate_by_scene(failing[0], cases[0], weights(60))
    assert gap.low < rate.low - 0.005
    assert gap.high == pytest.approx(rate.high)
    assert gap.value - gap.low > stats.norm.ppf(0.975) * 0.01


@pytest.mark.parametrize(
    ("failing", "cases", "says"),
    [
        ([1, 2], [1, 1], "more failing"),
        ([1], [1], "one count per scene"),
        ([-1, 0], [1, 1], "negative"),
    ],
)
def test_impossible_counts_are_refused(failing: list[int], cases: list[int], says: str) -> None:
    with pytest.raises(ValueError, match=says):
        rate_by_scene(failing, cases, weights(2))
