"""Numbers in the cells of tables."""

from __future__ import annotations

import math

from snellen.statistics.intervals import Interval
from snellen.store.estimate import Estimate

NOTHING = "-"
OWN = (
    "on the failing data of the first test, which it was retrained with. As published; no evidence "
    "of robustness"
)
HELD_OUT = "on scenes and with objects that were held out"
HUNDRED = 100.0


def number(value: float | None, digits: int = 3) -> str:
    """A number, or a dash if it is missing or not finite.

    >>> number(0.12345), number(None), number(float("nan")), number(float("-inf"))
    ('0.123', '-', '-', '-')
    """
    return NOTHING if value is None or not math.isfinite(value) else f"{value:.{digits}f}"


def spread(found: Interval | Estimate | None, factor: float = 1, digits: int = 3) -> str:
    """A number with its 95% interval, times a factor.

    >>> spread(Interval(0.1, 0.05, 0.2, "by hand"), 100, 1)
    '10.0 (5.0 to 20.0)'
    """
    if found is None or found.value is None or math.isnan(found.value):
        return NOTHING
    ends = (found.value, found.low, found.high)
    value, low, high = (number(factor * one, digits) for one in ends)
    return f"{value} ({low} to {high})"


def signed(found: Interval | None, factor: float = 1, digits: int = 1) -> str:
    """A change with its 95% interval.

    >>> signed(Interval(-0.1, -0.2, 0.05, "by hand"), 100)
    '-10.0 (-20.0 to +5.0)'
    """
    if found is None or math.isnan(found.value):
        return NOTHING
    value, low, high = (
        f"{factor * end:+.{digits}f}" for end in (found.value, found.low, found.high)
    )
    return f"{value} ({low} to {high})"


def relative(before: float, after: float) -> str:
    """The change relative to the value before.

    >>> relative(0.142, 0.105), relative(0.0, 0.1)
    ('-26.1%', '-')
    """
    return NOTHING if not before else f"{100 * (after - before) / abs(before):+.1f}%"
