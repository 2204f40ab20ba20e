"""Non-inferiority: a verdict on a loss from its interval and the tolerated margin."""

from __future__ import annotations

import math
from collections.abc import Iterable
from enum import StrEnum

from snellen.statistics.intervals import Interval


class LossStatus(StrEnum):
    """The verdict on a loss."""

    SATISFIED = "satisfied"
    VIOLATED = "violated"
    UNDECIDED = "undecided"


def loss_status(loss: Interval, margin: float) -> LossStatus:
    """Satisfied if the whole interval is at or below the margin, violated if it is above it.

    An interval that contains the margin, or could not be computed (NaN), is undecided.

    >>> loss_status(Interval(0.01, 0.0, 0.02, "wilson"), 0.02).value
    'satisfied'
    >>> loss_status(Interval(0.05, 0.03, 0.07, "wilson"), 0.02).value
    'violated'
    >>> loss_status(Interval(0.05, 0.01, 0.09, "wilson"), 0.02).value
    'undecided'
    """
    if math.isnan(loss.value):
        return LossStatus.UNDECIDED
    if loss.high <= margin:
        return LossStatus.SATISFIED
    return LossStatus.VIOLATED if loss.low > margin else LossStatus.UNDECIDED


def combined_status(statuses: Iterable[LossStatus]) -> LossStatus:
    """Violated if any is, satisfied if all are (at least one), otherwise undecided.

    >>> combined_status([LossStatus.SATISFIED, LossStatus.UNDECIDED]).value
    'undecided'
    >>> combined_status([]).value
    'undecided'
    """
    found = list(statuses)
    if LossStatus.VIOLATED in found:
        return LossStatus.VIOLATED
    return LossStatus.SATISFIED if set(found) == {LossStatus.SATISFIED} else LossStatus.UNDECIDED
