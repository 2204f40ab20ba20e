"""From which visual change on a subject fails."""

from __future__ import annotations

import numpy as np
import pytest

from snellen.methods.requirements.curves.change_bins import ChangeBin, by_change, failure_onset
from snellen.methods.requirements.evidence.case_table import case_table
from snellen.methods.requirements.evidence.subtask_counts import subtask_counts
from snellen.statistics.intervals import Interval
from tests.methods.requirements.simulated_evidence import falling, requirement, simulated, steady

RNG = np.random.default_rng


def bins_of(losses: list[float], counted: float = 100) -> list[ChangeBin]:
    intervals = [Interval(one, one - 0.1, one + 0.1, "any") for one in losses]
    return [
        ChangeBin(k / 10, (k + 1) / 10, 50, 50, counted, one, one)
        for k, one in enumerate(intervals)
    ]


@pytest.mark.parametrize(
    ("losses", "wanted"),
    [
        ([0, 0, 0, 0, 0], None),
        ([0.1, 0.1, 0.1], 0.0),
        ([0, 0, 0.1, 0.2, 0.3], 0.2),
        ([0, 0.03, -0.02, 0, 0.3], 0.4),  # one bin above the margin by chance is no onset
        ([0, 0, 0.3, 0.1, 0.3], 0.2),  # nor does a better bin later undo it
        ([0.1, 0, 0, 0, 0], None),
        ([np.nan, 0, np.nan, 0.3], 0.3),
    ],
)
def test_the_onset_is_where_the_loss_exceeds_the_margin_for_good(
    losses: list[float], wanted: float | None
) -> None:
    assert failure_onset(bins_of(losses), 0.02) == wanted


def test_no_bins_have_no_onset() -> None:
    assert failure_onset([], 0.02) is None


def test_each_bin_holds_its_own_cases_and_all_bins_hold_all() -> None:
    evidence = simulated(RNG(1), 300, 2, rates=(falling(0.9, 0.45, 0.4), steady(1), steady(1)))
    part = subtask_counts(requirement(), case_table(evidence))
    bins = by_change(part, "recall", "frost", 0.9)
    assert sum(one.cases for one in bins) == 600
    assert [one.low for one in bins] == pytest.approx(np.arange(10) * 0.09)
    for one in bins:
        wanted = 0.9 if one.high <= 0.451 else 0.5
        assert one.value.low <= wanted <= one.value.high
        assert one.loss.low <= 0.9 - wanted <= one.loss.high
    assert failure_onset(bins, 0.02) == pytest.approx(0.45)


def test_bins_without_cases_are_left_out() -> None:
    evidence = simulated(RNG(1), 50, 1, most=0.3)
    part = subtask_counts(requirement(), case_table(evidence))
    bins = by_change(part, "recall", "frost", 0.9)
    assert max(one.high for one in bins) < 0.4
