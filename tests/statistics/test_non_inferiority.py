from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from snellen.statistics.intervals import Interval
from snellen.statistics.non_inferiority import LossStatus, combined_status, loss_status

S, V, U = LossStatus.SATISFIED, LossStatus.VIOLATED, LossStatus.UNDECIDED


@pytest.mark.parametrize(
    ("low", "high", "wanted"),
    [
        (-0.5, 0.02, S),  # a bound equal to the margin is tolerated
        (-0.5, 0.020001, U),
        (0.02, 0.5, U),
        (0.020001, 0.5, V),
        (-0.4, -0.1, S),
        (math.nan, math.nan, U),
    ],
)
def test_the_margin_itself_is_tolerated_and_what_holds_it_decides_nothing(
    low: float, high: float, wanted: LossStatus
) -> None:
    value = (low + high) / 2
    assert loss_status(Interval(value, low, high, "any"), 0.02) == wanted


def test_a_loss_that_could_not_be_computed_is_never_a_pass() -> None:
    assert loss_status(Interval(math.nan, -1.0, 0.0, "any"), 0.02) == U


@given(st.lists(st.sampled_from([S, V, U])))
def test_one_violation_violates_and_one_doubt_leaves_doubt(found: list[LossStatus]) -> None:
    whole = combined_status(found)
    assert (whole == V) == any(one == V for one in found)
    assert (whole == S) == (bool(found) and all(one == S for one in found))
