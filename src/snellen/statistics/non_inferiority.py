"""Is a loss small enough? A verdict from its interval and the loss that is tolerated."""

from __future__ import annotations

import math
from collections.abc import Iterable
from enum import StrEnum

from snellen.statistics.intervals import Interval


class Status(StrEnum):
    """What the interval of a loss allows to be said."""

    SATISFIED = "satisfied"
    VIOLATED = "violated"
    UNDECIDED = "undecided"


def judged(loss: Interval, margin: float) -> Status:
    """Satisfied if the whole interval is at or below the margin, violated if it is all above it.

    An interval that holds the margin, or that could not be computed (NaN), decides nothing.

    >>> judged(Interval(0.01, 0.0, 0.02, "wilson"), 0.02).value
    'satisfied'
    >>> judged(Interval(0.05, 0.03, 0.07, "wilson"), 0.02).value
    'violated'
    >>> judged(Interval(0.05, 0.01, 0.09, "wilson"), 0.02).value
    'undecided'
    """
    if math.isnan(loss.value):
        return Status.UNDECIDED
    if loss.high <= margin:
        return Status.SATISFIED
    return Status.VIOLATED if loss.low > margin else Status.UNDECIDED


def together(statuses: Iterable[Status]) -> Status:
    """Violated if any is, satisfied if all are (and there is one), else undecided.

    >>> together([Status.SATISFIED, Status.UNDECIDED]).value, together([]).value
    ('undecided', 'undecided')
    """
    found = list(statuses)
    if Status.VIOLATED in found:
        return Status.VIOLATED
    return Status.SATISFIED if set(found) == {Status.SATISFIED} else Status.UNDECIDED
