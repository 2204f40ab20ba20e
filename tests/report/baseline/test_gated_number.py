"""Verdicts on numbers: no false alarms beyond 5%, and a real fall is found."""

from __future__ import annotations

import math

import numpy as np
import pytest

from snellen.methods.compared_number import ComparedNumber
from snellen.report.baseline.gated_number import ChangeStatus, gated_numbers
from snellen.statistics.discordant_pairs import discordant_pairs
from snellen.statistics.scene_curves import no_data
from snellen.statistics.scene_rates import paired_difference
from tests.report.baseline.simulated_runs import failures, numbers

WORSE, UNDECIDED, NOT_WORSE = ChangeStatus


def number(name: str, scenes: int, worse: int, better: int = 0) -> ComparedNumber:
    """Of that many scenes with one case each, of which some got worse and some better."""
    ones = np.ones(scenes)
    b = (np.arange(scenes) < worse).astype(float)
    a = (np.arange(scenes) >= scenes - better).astype(float)
    evidence = discordant_pairs(b, a, ones, b, a)
    return ComparedNumber.of(name, a.mean(), b.mean(), scenes, evidence)


def false_alarms(rate: float, scenes: int, margin: float, runs: int) -> int:
    """Gates with a worse number, of subjects that fail equally often in different cases."""
    rng = np.random.default_rng(7)
    found = 0
    for _ in range(runs):
        a, b = (failures(rate, scenes, 4, rng) for _ in "ab")
        found += any(one.status is WORSE for one in gated_numbers(numbers(a, b), margin))
    return found


@pytest.mark.parametrize(
    ("scenes", "status"), [(100, UNDECIDED), (400, NOT_WORSE)], ids=["few", "enough"]
)
def test_a_subject_with_the_same_answers_is_never_worse(scenes: int, status: ChangeStatus) -> None:
    """It is shown to be within a point once there are about 300 scenes: 3 / 300 is 0.01."""
    same = failures(0.1, scenes, 4, np.random.default_rng(1))
    for one in gated_numbers(numbers(same, same), 0.01):
        assert one.status is status
        assert one.worse_by.value == 0
        assert (one.more == 0) == (status is NOT_WORSE)


def test_other_failures_that_are_as_frequent_are_not_called_worse() -> None:
    """At a margin of 0 the subjects lie on the border, where false alarms are most frequent.

    Of 120 gates with an error of 5% at most 12 are alarms with a chance of 99%.
    """
    assert false_alarms(0.15, 40, 0.0, 120) <= 12


def test_a_subject_that_is_five_points_worse_is_found() -> None:
    rng = np.random.default_rng(5)
    found = []
    for _ in range(10):
        a, b = failures(0.05, 500, 4, rng), failures(0.10, 500, 4, rng)
        found.append(gated_numbers(numbers(a, b), 0.01)[0].status)
    assert found.count(WORSE) >= 9
    assert NOT_WORSE not in found


def test_a_verdict_is_that_of_the_paired_judge() -> None:
    a, b = (failures(rate, 60, 4, np.random.default_rng(3)) for rate in (0.1, 0.3))
    [rate, _] = gated_numbers(numbers(a, b), 0.05)
    cases = np.full(60, 4.0)
    both = (a & b).sum(axis=1)
    judge = paired_difference(
        b.sum(axis=1), a.sum(axis=1), cases, only_first=b.sum(axis=1) - both,
        only_second=a.sum(axis=1) - both, side="lower", confidence=0.95, null=0.05,
    )  # fmt: skip
    assert rate.alone == pytest.approx(judge.p)
    assert rate.worse_by.low == pytest.approx(judge.low)
    assert rate.alone <= rate.p_worse <= 2 * rate.alone, "of two numbers"


def test_one_number_among_many_must_be_worse_by_more() -> None:
    """Six of 60 scenes got worse: enough alone, not enough among thirty numbers."""
    struck = number("struck", 60, 6)
    [alone] = gated_numbers([struck], 0.01)
    among = gated_numbers([struck, *(number("same", 60, 0) for _ in range(30))], 0.01)[0]
    assert (alone.status, among.status) == (WORSE, UNDECIDED)
    assert among.alone == alone.p_worse
    assert among.p_worse > 0.05
    assert among.more is not None
    assert among.more > 0


def test_the_scenes_that_it_says_decide_it() -> None:
    [open_one] = gated_numbers([number("x", 60, 1)], 0.05)
    assert open_one.status is UNDECIDED
    assert open_one.more is not None
    times = 1 + math.ceil(open_one.more / 60)
    [decided] = gated_numbers([number("x", 60 * times, times)], 0.05)
    assert decided.status is NOT_WORSE


def test_better_is_not_worse() -> None:
    [one] = gated_numbers([number("x", 100, 0, better=20)], 0.0)
    assert one.status is NOT_WORSE
    assert one.worse_by.value == pytest.approx(-0.2)


def test_a_number_without_cases_is_undecided_and_does_not_count_among_the_tests() -> None:
    empty = ComparedNumber("none", math.nan, math.nan, 0, lambda _: no_data(-1.0, "none"))
    found = gated_numbers([empty, number("x", 60, 6)], 0.01)
    assert [one.status for one in found] == [UNDECIDED, WORSE]
    assert (found[0].known, found[0].more) == (False, None)
    assert found[1].p_worse == found[1].alone
