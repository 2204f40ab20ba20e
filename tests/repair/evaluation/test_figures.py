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
    change = rate_change(both, (old, new), WEIGHTS)
    assert isinstance(change.before, Rate)
    assert isinstance(change.after, Rate)
    assert (change.before.failing, change.before.cases) == (17, 50)
    assert (change.after.failing, change.after.cases) == (7, 50)
    assert change.difference.value == pytest.approx(-10 / 50)
    repaired = share_of_cases(both, old & ~new, WEIGHTS)
    fresh = share_of_cases(both, new & ~old, WEIGHTS)
    assert (repaired.failing, fresh.failing) == (9 + 0 + 2 + 1, 1 + 1)
    assert repaired.value - fresh.value == pytest.approx(-change.difference.value)


def test_instances_by_hand_and_the_four_shares_sum_to_one() -> None:
    both = columns(BEFORE, AFTER)
    failed = instance_shares(both, both.failed, WEIGHTS, failed_before=True)
    assert failed.instances == 4
    shares = (failed.almost_none, failed.fewer, failed.more, failed.unchanged)
    assert [one.failing for one in shares] == [1, 1, 1, 1]  # 10>1, 4>2, 2>3, 1=1
    every = instance_shares(both, both.failed, WEIGHTS, failed_before=False)
    assert every.instances == 5
    assert every.unchanged.failing == 2
    assert sum(one.value for one in shares) == pytest.approx(1)


def test_an_instance_as_bad_as_before_is_unchanged_even_if_it_has_almost_no_failure() -> None:
    both = columns([[[T] + [F] * 49]], [[[F] * 49 + [T]]])
    found = instance_shares(both, both.failed, WEIGHTS[:, :1], failed_before=True)
    assert (found.almost_none.value, found.unchanged.value) == (0, 1)


def test_forgetting_an_instance_is_no_repair() -> None:
    """It fails in all its tests in the strict figure; among those found it is left out twice."""
    both = columns(BEFORE, AFTER, gone=frozenset({(0, 0)}))
    change = rate_change(both, both.failed, WEIGHTS)
    assert isinstance(change.after, Rate)
    assert change.after.failing == 7 - 1 + 10
    there = ~both.undetected[1]
    found = rate_change(both, both.failed, WEIGHTS, there)
    assert isinstance(found.before, Rate)
    assert (found.before.failing, found.before.cases) == (7, 40)
    lost = undetected_change(both, WEIGHTS)
    assert isinstance(lost.after, Rate)
    assert (lost.before.value, lost.after.failing, lost.after.cases) == (0, 1, 5)


def test_without_a_test_there_is_nothing_to_say_and_nothing_breaks() -> None:
    both = columns([[], []], [[], []])
    rng = np.random.default_rng(1)
    change = rate_change(both, both.failed, WEIGHTS[:, :2], rng=rng)
    assert math.isnan(change.before.value)
    assert change.difference.low <= 0 <= change.difference.high
    json.dumps(finite_or_none(change.to_json()), allow_nan=False)
    shares = instance_shares(both, both.failed, WEIGHTS[:, :2], failed_before=True)
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


def linear_error(k_a: np.ndarray, k_b: np.ndarray, n: np.ndarray) -> tuple[float, float]:
    """Difference of two rates on the same scenes, and its linearised error, scene by scene."""
    total = n.sum()
    a, b = k_a.sum() / total, k_b.sum() / total
    pulls = [(ka - a * m) / total - (kb - b * m) / total for ka, kb, m in zip(k_a, k_b, n)]  # noqa: B905
    mean = sum(pulls) / len(pulls)
    squares = sum((one - mean) ** 2 for one in pulls)
    return a - b, math.sqrt(squares * len(n) / (len(n) - 1))


def test_the_interval_is_that_of_a_brute_force_bootstrap() -> None:
    scenes, seed = 25, 4
    before, after = random_sides(scenes, seed)
    both = columns(before, after)
    weights = scene_weights(scenes, 400, np.random.default_rng(2))
    found = rate_change(both, both.failed, weights).difference
    k_b = np.array([sum(scene[0]) for scene in before])
    k_a = np.array([sum(scene[0]) for scene in after])
    n = np.array([len(scene[0]) for scene in before])
    value, error = linear_error(k_a, k_b, n)
    pivots = []
    for row in weights.astype(int):
        drawn = np.repeat(np.arange(scenes), row)
        one, its = linear_error(k_a[drawn], k_b[drawn], n[drawn])
        pivots.append((one - value) / its)
    low, high = np.quantile(pivots, [0.025, 0.975], method="nearest")
    assert found.value == pytest.approx(value)
    assert found.low == pytest.approx(value - high * error)
    assert found.high == pytest.approx(value - low * error)


def test_the_interval_holds_a_known_difference_as_often_as_it_says() -> None:
    held = 0
    for seed in range(60):
        both = columns(*random_sides(30, seed))
        weights = scene_weights(30, 300, np.random.default_rng(seed))
        found = rate_change(both, both.failed, weights).difference
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
    weights = scene_weights(scenes, 50, np.random.default_rng(3))
    one, other = columns(before, after), columns(after, before)
    first = rate_change(one, one.failed, weights).difference
    second = rate_change(other, other.failed, weights).difference
    assert first.value == pytest.approx(-second.value)
    assert first.low == pytest.approx(-second.high)
    there = instance_shares(one, one.failed, weights, failed_before=False)
    back = instance_shares(other, other.failed, weights, failed_before=False)
    assert there.more.failing == back.almost_none.failing + back.fewer.failing
    assert there.unchanged.failing == back.unchanged.failing
