"""From which visual change on a subject fails."""

from __future__ import annotations

import numpy as np
import pytest

from snellen.methods.requirements.checks.requirement_check import check_requirement
from snellen.methods.requirements.curves.change_bins import by_change, failure_onset
from snellen.methods.requirements.evidence.case_table import case_table
from snellen.methods.requirements.evidence.subtask_counts import subtask_counts
from snellen.statistics.bootstrap import scene_weights
from tests.methods.requirements.simulated_evidence import falling, requirement, simulated, steady

RNG = np.random.default_rng


@pytest.mark.parametrize(
    ("shown", "wanted"),
    [
        ([0, 0, 0, 0, 0], None),
        ([1, 1, 1], 0.0),
        ([0, 0, 1, 1, 1], 0.2),
        ([0, 1, 0, 0, 1], 0.4),  # one span above the margin by chance is no onset
        ([1, 1, 1, 0], None),  # nothing is said without the last one
    ],
)
def test_the_onset_is_where_every_test_from_the_last_span_down_shows_it(
    shown: list[int], wanted: float | None
) -> None:
    spans = [(k / 10, (k + 1) / 10) for k in range(len(shown))]
    tested: list[float] = []

    def breaks(low: float, high: float) -> bool:
        assert high > low
        tested.append(low)
        return bool(shown[round(10 * low)])

    assert failure_onset(spans, breaks) == wanted
    assert tested == sorted(tested, reverse=True), "in the fixed order, until one is not shown"
    assert all(shown[round(10 * low)] for low in tested[:-1])


def test_no_spans_have_no_onset() -> None:
    assert failure_onset([], lambda low, high: True) is None


@pytest.mark.parametrize(
    ("runs", "most"), [(20, 3), pytest.param(60, 7, marks=pytest.mark.thorough)]
)
def test_a_subject_at_its_margin_everywhere_has_an_onset_in_few_runs(runs: int, most: int) -> None:
    """All tests together are wrong no more often than one: 5%, of 60 runs at most 7."""
    rates = (falling(0.9, 0.0, 0.05), steady(1), steady(1))
    wrong = 0
    for seed in range(runs):
        evidence = simulated(RNG(seed), 150, 3, rates=rates)
        check = check_requirement(
            requirement(margin=0.05),
            evidence,
            scene_weights(150, 20, RNG(1)),
            RNG(seed),
        )
        wrong += check.breaks_from is not None
    assert wrong <= most


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


def test_bins_without_cases_are_left_out() -> None:
    evidence = simulated(RNG(1), 50, 1, most=0.3)
    part = subtask_counts(requirement(), case_table(evidence))
    bins = by_change(part, "recall", "frost", 0.9)
    assert max(one.high for one in bins) < 0.4
