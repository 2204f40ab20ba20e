"""The word is earned, by every condition at once."""

from __future__ import annotations

import math

import pytest

from snellen.repair.evaluation.change import Change
from snellen.repair.evaluation.equal_reports import EqualReports
from snellen.repair.evaluation.held_out_check import HeldOut, PartFacts
from snellen.repair.evaluation.repair_verdict import RepairVerdict, repair_verdict
from snellen.statistics.intervals import Interval

OWN = PartFacts("evaluation", 10, 3)


def change(low: float, high: float) -> Change:
    one = Interval(0.5, 0.4, 0.6, "x")
    value = math.nan if math.isnan(low) else (low + high) / 2
    return Change(one, one, Interval(value, low, high, "x"))


def held(known: bool | None) -> HeldOut:
    return HeldOut(known, {True: "", False: "scene 'a' is in both", None: "unknown"}[known], OWN)


FALLS, RISES, EITHER = change(-0.2, -0.05), change(0.05, 0.2), change(-0.2, 0.01)
KEPT, LOST, DOUBTFUL = change(-0.01, 0.02), change(-0.05, -0.011), change(-0.02, 0.01)
TABLE = [
    (FALLS, KEPT, True, RepairVerdict.MORE_ROBUST),
    (FALLS, DOUBTFUL, True, RepairVerdict.NOT_SHOWN),
    (FALLS, None, True, RepairVerdict.NOT_SHOWN),
    (FALLS, change(math.nan, math.nan), True, RepairVerdict.NOT_SHOWN),
    (FALLS, LOST, True, RepairVerdict.WORSE),
    (FALLS, KEPT, None, RepairVerdict.NOT_SHOWN),
    (FALLS, KEPT, False, RepairVerdict.SEEN_BEFORE),
    (RISES, KEPT, False, RepairVerdict.SEEN_BEFORE),
    (RISES, KEPT, True, RepairVerdict.WORSE),
    (RISES, KEPT, None, RepairVerdict.WORSE),
    (EITHER, KEPT, True, RepairVerdict.NOT_SHOWN),
    (change(-0.2, 0.0), KEPT, True, RepairVerdict.NOT_SHOWN),
    (change(math.nan, math.nan), KEPT, True, RepairVerdict.NOT_SHOWN),
]


@pytest.mark.parametrize(("failures", "precision", "out", "word"), TABLE)
def test_the_word(
    failures: Change, precision: Change | None, out: bool | None, word: RepairVerdict
) -> None:
    found, reasons = repair_verdict(failures, precision, held(out))
    assert found == word
    assert bool(reasons) == (word != RepairVerdict.MORE_ROBUST)


def test_the_word_of_older_outcome_files_is_understood() -> None:
    assert RepairVerdict("robuster") == RepairVerdict("more robust") == RepairVerdict.MORE_ROBUST
    with pytest.raises(ValueError, match="unheard"):
        RepairVerdict("unheard of")


def test_a_wider_margin_forgives_more() -> None:
    assert repair_verdict(FALLS, LOST, held(True), margin=0.05)[0] == RepairVerdict.MORE_ROBUST


@pytest.mark.parametrize(
    ("failures", "precision", "beyond", "word", "explained"),
    [
        (FALLS, KEPT, change(-0.1, -0.01), RepairVerdict.MORE_ROBUST, False),
        (FALLS, KEPT, change(-0.1, 0.0), RepairVerdict.BOLDER, True),
        (FALLS, KEPT, change(0.01, 0.1), RepairVerdict.BOLDER, True),
        (FALLS, DOUBTFUL, change(-0.1, 0.01), RepairVerdict.NOT_SHOWN, True),
        (FALLS, DOUBTFUL, change(-0.1, -0.01), RepairVerdict.NOT_SHOWN, False),
        (EITHER, KEPT, change(-0.1, 0.01), RepairVerdict.NOT_SHOWN, False),
        (FALLS, LOST, change(-0.1, 0.01), RepairVerdict.WORSE, False),
    ],
)
def test_a_fall_that_a_lower_threshold_explains_is_no_robustness(
    failures: Change, precision: Change, beyond: Change, word: RepairVerdict, explained: bool
) -> None:
    equal = EqualReports(change(0.1, 0.2), 0.25, beyond)
    found, reasons = repair_verdict(failures, precision, held(True), equal=equal)
    assert found == word
    assert any("lower threshold" in one for one in reasons) == explained
