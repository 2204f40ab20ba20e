"""Sampled controls: unbiased, as sure as the pairs where all are asked, and no false alarms."""

from __future__ import annotations

import math

import numpy as np
import pytest

from snellen.statistics import paired_difference
from snellen.statistics.stratified_controls import ControlledDifference, controlled_difference
from snellen.vision.arrays import Bools, Ints

RNG = np.random.default_rng


def drawn(
    rng: np.random.Generator, scenes: int, rate: float, control_rate: float
) -> tuple[Ints, Bools, Bools]:
    """Scene, failing and control failing of 30 cases a scene; hard scenes are hard for both."""
    hard = rng.beta(0.4, 3.6, scenes) * 10
    place = np.repeat(np.arange(scenes), 30)
    chances = [np.minimum(one * hard[place], 1) for one in (rate, control_rate)]
    failing, control = (rng.random(len(place)) < one for one in chances)
    return place, failing, control


def judged(
    rng: np.random.Generator, place: Ints, failing: Bools, control: Bools, share: float
) -> ControlledDifference:
    """With a control of each failing case and of a share of the others."""
    chance = np.where(failing, 1.0, share)
    asked = rng.random(len(place)) < chance
    return controlled_difference(place, failing, chance, np.where(asked, control, np.nan))


def counted(place: Ints, flags: Bools) -> Ints:
    return np.bincount(place[flags], minlength=40)


def test_all_controls_asked_give_the_difference_of_pairs() -> None:
    place, failing, control = drawn(RNG(1), 40, 0.1, 0.04)
    found = judged(RNG(2), place, failing, control, 1.0)
    pairs = paired_difference(
        counted(place, failing),
        counted(place, control),
        np.full(40, 30),
        only_first=counted(place, failing & ~control),
        only_second=counted(place, control & ~failing),
    )
    assert found.difference.value == pytest.approx(pairs.value)
    assert found.controls.value == pytest.approx(control.mean())
    assert found.cases.value == pytest.approx(failing.mean())
    assert (found.difference.low, found.difference.high) == pytest.approx(
        (pairs.low, pairs.high), abs=0.15 * (pairs.high - pairs.low)
    )


def test_a_sample_of_the_controls_estimates_the_rate_of_all() -> None:
    rng = RNG(3)
    place, failing, control = drawn(rng, 200, 0.1, 0.05)
    truth = failing.mean() - control.mean()
    found = [judged(rng, place, failing, control, 0.2) for _ in range(60)]
    values = np.array([one.difference.value for one in found])
    assert values.mean() == pytest.approx(truth, abs=3 * values.std() / 60**0.5)
    rates = np.array([one.controls.value for one in found])
    assert np.array([one.cases.value for one in found]) - rates == pytest.approx(values)


def test_fewer_controls_of_holding_cases_widen_the_interval() -> None:
    place, failing, control = drawn(RNG(3), 96, 0.05, 0.015)
    lengths = [
        judged(RNG(4), place, failing, control, share).difference for share in (1.0, 0.2, 0.05)
    ]
    sizes = [one.high - one.low for one in lengths]
    assert sizes[0] < sizes[1] < sizes[2]


@pytest.mark.parametrize(("scenes", "rate"), [(24, 0.05), (48, 0.05), (96, 0.1)])
def test_equal_true_rates_seldom_raise_an_alarm(scenes: int, rate: float) -> None:
    """Of 400 runs at most 5% may call the cases worse; 6.5% would be 1.5 points beyond chance."""
    rng, alarms, runs = RNG(7), 0, 400
    for _ in range(runs):
        found = judged(rng, *drawn(rng, scenes, rate, rate), 0.2).difference
        alarms += found.low > 0
    assert alarms <= 0.05 * runs


def test_a_real_difference_is_seen_with_enough_scenes() -> None:
    rng = RNG(8)
    seen = sum(judged(rng, *drawn(rng, 96, 0.05, 0.015), 0.2).difference.low > 0 for _ in range(60))
    assert seen >= 45


def test_what_no_control_was_asked_of_is_not_known() -> None:
    nothing = controlled_difference([0, 1], [True, False], [0.5, 0.5], [math.nan, 0.0])
    assert math.isnan(nothing.difference.value)
    assert math.isnan(nothing.controls.value)
    assert nothing.cases.value == 0.5
    assert math.isnan(controlled_difference([], [], [], []).difference.value)
    every = controlled_difference([0, 1, 2], [True] * 3, [1.0] * 3, [0.0] * 3)
    assert (every.difference.value, every.controls.value) == (1.0, 0.0)
    none = controlled_difference([0, 1, 2], [False] * 3, [1.0] * 3, [0.0, 1.0, 0.0])
    assert none.difference.value == pytest.approx(-1 / 3)


@pytest.mark.parametrize(
    ("values", "says"),
    [
        (([0], [True], [0.0], [1.0]), "chance: case 0 has 0.0"),
        (([0], [True], [1.0], [1.5]), "control_failing: case 0 has 1.5"),
        (([-1], [True], [1.0], [1.0]), "scenes: case 0 has -1"),
        (([0, 1], [True], [1.0], [1.0]), "one value per case"),
    ],
)
def test_impossible_cases_are_refused(values: tuple[list[float], ...], says: str) -> None:
    with pytest.raises(ValueError, match=says):
        controlled_difference(*values)


def test_controls_with_a_small_chance_stand_for_more_cases() -> None:
    """Easy scenes are sampled eight times as often as hard ones, whose controls fail more."""
    rng = RNG(5)
    place = np.repeat(np.arange(100), 30)
    hard = place % 2 == 0
    failing = rng.random(3000) < 0.1
    control = rng.random(3000) < np.where(hard, 0.3, 0.02)
    chance = np.where(failing, 1.0, np.where(hard, 0.1, 0.8))
    values = []
    for _ in range(60):
        asked = rng.random(3000) < chance
        found = controlled_difference(place, failing, chance, np.where(asked, control, np.nan))
        values.append(found.controls.value)
    assert np.mean(values) == pytest.approx(control.mean(), abs=0.01)


def test_failing_cases_without_a_control_count_as_those_of_their_scene() -> None:
    """Two scenes of 10 failing cases; in each, one has no control, and all controls hold."""
    place, failing = np.repeat([0, 1], 10), np.ones(20, dtype=bool)
    control = np.zeros(20)
    control[[0, 10]] = np.nan
    found = controlled_difference(place, failing, np.ones(20), control)
    assert found.difference.value == pytest.approx(1.0)
    control[5] = 1.0
    found = controlled_difference(place, failing, np.ones(20), control)
    assert found.difference.value == pytest.approx(1 - (10 / 9) / 20)
