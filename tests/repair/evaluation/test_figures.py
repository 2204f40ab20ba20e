"""Figures before and after, by hand and by brute force."""

from __future__ import annotations

import json
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from snellen.disk.json_values import finite_or_none
from snellen.repair.evaluation.change import mean_change, rate_change, share_of_cases
from snellen.repair.evaluation.instance_shares import few, instance_shares, undetected_change
from snellen.repair.page.words import share
from snellen.statistics import paired_difference
from snellen.statistics.bootstrap import scene_weights
from snellen.statistics.intervals import Rate
from tests.repair.evaluation.hand_made_journals import columns

T, F = True, False
BEFORE = [[[T] * 10, [T, T] + [F] * 8], [[F] * 10], [[T] * 4 + [F] * 6, [T] + [F] * 9]]
AFTER = [[[T] + [F] * 9, [T] * 3 + [F] * 7], [[F] * 10], [[T] * 2 + [F] * 8, [F] * 9 + [T]]]
WEIGHTS = scene_weights(3, 200, np.random.default_rng(1))


def test_rates_and_what_was_repaired_by_hand() -> None:
    both = columns(BEFORE, AFTER)
    old, new = both.failed
    change = rate_change(both, (old, new))
    assert isinstance(change.before, Rate)
    assert isinstance(change.after, Rate)
    assert (change.before.failing, change.before.cases) == (17, 50)
    assert (change.after.failing, change.after.cases) == (7, 50)
    assert change.difference.value == pytest.approx(-10 / 50)
    repaired = share_of_cases(both, old & ~new)
    fresh = share_of_cases(both, new & ~old)
    assert (repaired.failing, fresh.failing) == (9 + 0 + 2 + 1, 1 + 1)
    assert repaired.value - fresh.value == pytest.approx(-change.difference.value)


def test_instances_by_hand_and_the_four_shares_sum_to_one() -> None:
    both = columns(BEFORE, AFTER)
    failed = instance_shares(both, both.failed, failed_before=True)
    assert failed.instances == 4
    shares = (failed.almost_none, failed.fewer, failed.more, failed.unchanged)
    assert [one.failing for one in shares] == [1, 1, 1, 1]  # 10>1, 4>2, 2>3, 1=1
    every = instance_shares(both, both.failed, failed_before=False)
    assert every.instances == 5
    assert every.unchanged.failing == 2
    assert sum(one.value for one in shares) == pytest.approx(1)


def test_an_instance_as_bad_as_before_is_unchanged_even_if_it_has_almost_no_failure() -> None:
    both = columns([[[T] + [F] * 49]], [[[F] * 49 + [T]]])
    found = instance_shares(both, both.failed, failed_before=True)
    assert (found.almost_none.value, found.unchanged.value) == (0, 1)


def test_forgetting_an_instance_is_no_repair() -> None:
    """It fails in all its tests in the strict figure; among those found it is left out twice."""
    both = columns(BEFORE, AFTER, gone=frozenset({(0, 0)}))
    change = rate_change(both, both.failed)
    assert isinstance(change.after, Rate)
    assert change.after.failing == 7 - 1 + 10
    there = ~both.undetected[1]
    found = rate_change(both, both.failed, there)
    assert isinstance(found.before, Rate)
    assert (found.before.failing, found.before.cases) == (7, 40)
    lost = undetected_change(both)
    assert isinstance(lost.after, Rate)
    assert (lost.before.value, lost.after.failing, lost.after.cases) == (0, 1, 5)


def test_without_a_test_there_is_nothing_to_say_and_nothing_breaks() -> None:
    both = columns([[], []], [[], []])
    change = rate_change(both, both.failed)
    assert math.isnan(change.before.value)
    assert change.difference.low <= 0 <= change.difference.high
    json.dumps(finite_or_none(change.to_json()), allow_nan=False)
    shares = instance_shares(both, both.failed, failed_before=True)
    assert shares.instances == 0
    assert share(shares.more) == "no cases"


def test_one_of_few_tests_is_not_almost_none() -> None:
    assert few(np.array([1.0, 1, 0]), np.array([9.0, 10, 2])).tolist() == [False, True, True]


def random_sides(scenes: int, seed: int) -> tuple[list[list[list[bool]]], list[list[list[bool]]]]:
    rng = np.random.default_rng(seed)
    sizes = rng.integers(1, 9, scenes)
    before = [[(rng.random(n) < 0.6).tolist()] for n in sizes]
    after = [[(rng.random(n) < 0.3).tolist()] for n in sizes]
    return before, after


def test_the_interval_is_that_of_pairs_counted_by_hand() -> None:
    scenes, seed = 25, 4
    before, after = random_sides(scenes, seed)
    both = columns(before, after)
    found = rate_change(both, both.failed).difference
    pairs = [list(zip(old[0], new[0], strict=True)) for old, new in zip(before, after, strict=True)]
    new, old, fixed, broken = (
        [sum((a, b) in wanted for b, a in scene) for scene in pairs]
        for wanted in ([(T, T), (T, F)], [(T, T), (F, T)], [(F, T)], [(T, F)])
    )
    cases = [len(scene) for scene in pairs]
    assert found == paired_difference(new, old, cases, only_first=broken, only_second=fixed)


def test_the_interval_holds_a_known_difference_as_often_as_it_says() -> None:
    held = 0
    for seed in range(60):
        both = columns(*random_sides(30, seed))
        found = rate_change(both, both.failed).difference
        held += found.low <= -0.3 <= found.high
    assert held >= 52  # 57 expected


def test_means_are_paired_by_scene() -> None:
    scene = np.array([0.0, 0, 1, 2])
    before, after = np.array([1.0, 3, 2, 4]), np.array([0.5, 2.5, 1.5, 3.5])
    found = mean_change(scene, before, after, WEIGHTS)
    assert found.before.value == pytest.approx(2.5)
    assert found.after.value == pytest.approx(2.0)
    assert found.difference.value == pytest.approx(-0.5)
    assert found.difference.low == pytest.approx(-0.5)  # every scene says the same
    assert found.before.low < 2.5 < found.before.high


@given(st.integers(1, 6), st.integers(0, 10**6))
def test_swapping_the_sides_turns_every_difference_round(scenes: int, seed: int) -> None:
    before, after = random_sides(scenes, seed)
    one, other = columns(before, after), columns(after, before)
    first = rate_change(one, one.failed).difference
    second = rate_change(other, other.failed).difference
    assert first.value == pytest.approx(-second.value)
    assert first.low == pytest.approx(-second.high)
    there = instance_shares(one, one.failed, failed_before=False)
    back = instance_shares(other, other.failed, failed_before=False)
    assert there.more.failing == back.almost_none.failing + back.fewer.failing
    assert there.unchanged.failing == back.unchanged.failing
