"""The difference of two losses under a requirement; its statistics: tests/statistics."""

from __future__ import annotations

import numpy as np
import pytest

from snellen.methods.requirements.comparison.loss_pairs import compared_requirement
from snellen.methods.requirements.evidence.case_table import CaseTable, case_table
from snellen.statistics.non_inferiority import LossStatus
from tests.methods.requirements.simulated_evidence import RATES, falling, requirement, simulated

SCENES = 300


def table(lost: float, seed: int) -> CaseTable:
    """A subject that localises so much less once the image changes by more than 0.1."""
    rates = (falling(0.75, 0.1, lost), *RATES[1:])
    return case_table(simulated(np.random.default_rng(seed), SCENES, 2, rates=rates))


def test_it_is_what_b_loses_less_what_a_loses() -> None:
    a, b = table(0.02, 2), table(0.25, 3)
    asked = requirement(threshold=0.9)
    there, back = compared_requirement(asked, a, b, 0.2), compared_requirement(asked, b, a, 0.2)
    assert there.losses
    for one, other in zip(there.losses, back.losses, strict=True):
        lost = [loss.interval.value for loss in (one.a, one.b)]
        assert one.difference.value == pytest.approx(lost[1] - lost[0])
        assert other.difference.low == pytest.approx(-one.difference.high)
    recall = next(one for one in there.losses if one.metric == "recall")
    assert recall.difference.low > 0, "B loses far more"


def test_the_same_subject_loses_no_more_than_itself() -> None:
    one = table(0.1, 2)
    found = compared_requirement(requirement(threshold=0.9), one, one, 0.2)
    for pair in found.losses:
        assert pair.difference.value == 0
        assert pair.difference.low < 0 < pair.difference.high


def test_a_requirement_that_demands_nothing_is_undecided_for_both() -> None:
    rng = np.random.default_rng(4)
    idle = requirement(kind="preservation", threshold=0.2)
    both = case_table(simulated(rng, 40, 2, kind="preservation"))
    found = compared_requirement(idle, both, both, 0.2)
    assert found.status == (LossStatus.UNDECIDED, LossStatus.UNDECIDED)
    assert found.losses == ()
    some = requirement(kind="preservation", threshold=0.5, thresholds=(0.2, 0.5))
    again = compared_requirement(some, both, both, 0.2)
    assert {one.threshold for one in again.losses} == {0.5}
