"""The difference of two changes: its value by hand, what must hold, its coverage by simulation."""

from __future__ import annotations

import math

import numpy as np
import pytest

from snellen.statistics.change_difference import change_difference
from snellen.statistics.discordant_pairs import DiscordantPairs, discordant_pairs
from snellen.statistics.intervals import Interval, difference
from snellen.statistics.scene_curves import paired_curve
from snellen.vision.arrays import F64

RUNS = 300


def pairs(worse: F64, better: F64, cases: F64) -> DiscordantPairs:
    return discordant_pairs(worse, better, cases, worse, better)


def drawn(
    rng: np.random.Generator, hard: F64, cases: F64, worse: float, better: float
) -> DiscordantPairs:
    """A subject that gets worse where scenes are hard (mean 1), and better at random."""
    lost = rng.binomial(cases.astype(int), worse * hard)
    found = rng.binomial(cases.astype(int) - lost, better)
    return pairs(lost.astype(float), found.astype(float), cases)


def test_it_is_one_change_less_the_other_whatever_the_cases_and_scales() -> None:
    first = pairs(np.array([3.0, 2, 0]), np.array([0.0, 1, 0]), np.array([10.0, 10, 5]))
    second = pairs(np.array([1.0, 0, 0]), np.array([0.0, 2, 1]), np.array([8.0, 12, 20]))
    found = change_difference(first, second, scales=(1.2, 0.9))
    assert found.value == pytest.approx(1.2 * 4 / 25 - 0.9 * -2 / 40)
    assert found.method == "clustered difference of changes"
    back = change_difference(second, first, scales=(0.9, 1.2))
    assert (back.value, back.low, back.high) == pytest.approx(
        (-found.value, -found.high, -found.low)
    )
    assert back.p == pytest.approx(found.p)


def test_one_that_does_not_change_leaves_the_change_of_the_other() -> None:
    lost, cases = (np.arange(40) % 5 == 0).astype(float), np.full(40, 4.0)
    change = pairs(lost, 0 * lost, cases)
    alone = paired_curve(change).interval(null=0.0)
    found = change_difference(change, pairs(0 * lost, 0 * lost, cases))
    assert found.value == pytest.approx(alone.value)
    assert (found.low, found.high) == pytest.approx((alone.low, alone.high), rel=0.2)
    assert (found.low > 0) == (found.p < 0.05)


def test_what_both_lose_alike_does_not_blur_the_difference() -> None:
    lost, cases = (np.arange(64) % 3).astype(float), np.full(64, 10.0)
    both = pairs(lost, 0 * lost, cases)
    apart = paired_curve(both).interval()
    alike = change_difference(both, both)
    assert alike.value == 0
    assert alike.high - alike.low < 0.7 * _length(difference(apart, apart))


def test_one_more_scene_that_differs_moves_it_a_little() -> None:
    """0 to 20 of 60 scenes lose one case more with the first: no cliff."""
    cases, ends = np.full(60, 6.0), []
    for count in range(21):
        lost = (np.arange(60) < count).astype(float)
        found = change_difference(pairs(lost, 0 * lost, cases), pairs(0 * lost, 0 * lost, cases))
        ends.append((found.low, found.high))
    steps = np.diff(np.array(ends), axis=0)
    assert np.abs(steps).max() < 0.01
    assert np.all(steps[2:] > -0.001)


@pytest.mark.parametrize("alike", [True, False])
@pytest.mark.parametrize(("scenes", "worse"), [(24, 0.1), (80, 0.04)])
def test_the_interval_holds_the_truth_as_often_as_it_says(
    scenes: int, worse: float, alike: bool
) -> None:
    rng, held = np.random.default_rng([scenes, alike]), 0
    for _ in range(RUNS):
        cases = rng.integers(2, 16, scenes).astype(float)
        hard = rng.gamma(2, 0.5, (2, scenes)).clip(0, 5)
        other = hard[0] if alike else hard[1]
        a, b = (drawn(rng, hard[0], cases, worse, 0.02), drawn(rng, other, cases, worse, 0.05))
        found = change_difference(a, b)
        kept = 1 - worse * np.minimum(rng.gamma(2, 0.5, 20_000), 5).mean()
        held += found.low <= 0.03 * kept <= found.high
    # 95% of 300 is 285, give or take 3.8; three of those down is 274.
    assert held >= 274


def test_nothing_asked_says_nothing_and_scenes_must_match() -> None:
    none, some = (pairs(np.zeros(3), np.zeros(3), np.full(3, n)) for n in (0.0, 4.0))
    found = change_difference(some, none)
    assert math.isnan(found.value)
    assert (found.low, found.high) == (-2, 2)
    with pytest.raises(ValueError, match="3 scenes and 2"):
        change_difference(some, pairs(np.zeros(2), np.zeros(2), np.ones(2)))


def _length(one: Interval) -> float:
    return one.high - one.low
