"""Confidence intervals of rates of independent cases, and of the difference of two rates.

Counts are numbers or arrays that broadcast. They may be fractional, so that an effective sample
size can replace a number of cases.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from scipy import special

from snellen.vision.arrays import F64

Bounds = tuple[F64, F64]

CONFIDENCE = 0.95


@dataclass(frozen=True)
class Interval:
    """A value with its confidence interval and the method that computed it.

    `value` is NaN if there is no data. `p` is the p-value of the test that belongs to the interval,
    NaN if none was asked for; a 95% interval excludes the tested value exactly when p < 0.05.
    """

    value: float
    low: float
    high: float
    method: str
    confidence: float = CONFIDENCE
    p: float = math.nan

    def to_json(self) -> dict[str, float | str | None]:
        """The fields for a summary; a value of NaN becomes None, a p-value of NaN is left out."""
        found: dict[str, float | str | None] = {
            "value": None if math.isnan(self.value) else self.value,
            "low": self.low,
            "high": self.high,
            "method": self.method,
            "confidence": self.confidence,
        }
        return found if math.isnan(self.p) else {**found, "p": self.p}


@dataclass(frozen=True, kw_only=True)
class Rate(Interval):
    """A failure rate: an interval within [0, 1] and the counts behind it."""

    failing: float
    cases: float


def wilson(failing: npt.ArrayLike, cases: npt.ArrayLike, confidence: float = CONFIDENCE) -> Bounds:
    """Lower and upper bounds of Wilson's score interval; [0, 1] without cases.

    Its coverage is nominal on average over rates; at a single rate near 0 or 1 it may be slightly
    off, because counts are integers.

    >>> low, high = wilson(1, 10)
    >>> round(float(low), 3), round(float(high), 3)
    (0.018, 0.404)
    """
    k, n = _counts(failing, cases)
    z2 = special.ndtri((1 + confidence) / 2) ** 2
    n1 = np.where(n > 0, n, 1.0)
    p = k / n1
    half = np.sqrt(z2 * (p * (1 - p) / n1 + z2 / (4 * n1**2)))
    low, high = ((p + z2 / (2 * n1) + sign * half) / (1 + z2 / n1) for sign in (-1, 1))
    return np.where(k > 0, np.maximum(low, 0), 0.0), np.where(k < n, np.minimum(high, 1), 1.0)


def _counts(failing: npt.ArrayLike, cases: npt.ArrayLike) -> Bounds:
    k, n = np.broadcast_arrays(np.asarray(failing, float), np.asarray(cases, float))
    if not np.all((k >= 0) & (k <= n) & np.isfinite(n)):
        raise ValueError(
            f"failing cases must lie between 0 and the number of cases; found {k} of {n}"
        )
    return k, n


def wilson_rate(failing: float, cases: float, confidence: float = CONFIDENCE) -> Rate:
    """The failure rate of independent cases, with Wilson's interval.

    >>> wilson_rate(0, 0).to_json()["value"], wilson_rate(0, 0).high
    (None, 1.0)
    """
    value = failing / cases if cases else math.nan
    low, high = (float(end) for end in wilson(failing, cases, confidence))
    return Rate(value, low, high, "wilson", confidence, failing=failing, cases=cases)


def difference(first: Interval, second: Interval) -> Interval:
    """The first of two independent rates minus the second, with Newcombe's interval.

    The distances from each rate to its own bounds are combined (square and add), so the intervals
    of the two rates may be of any kind; with Wilson's this is Newcombe's (1998) method 10.

    >>> gap = difference(wilson_rate(56, 70), wilson_rate(48, 80))
    >>> round(gap.value, 4), round(gap.low, 4), round(gap.high, 4)
    (0.2, 0.0524, 0.3339)
    """
    if first.confidence != second.confidence:
        raise ValueError(f"confidences differ: {first.confidence} and {second.confidence}")
    value = first.value - second.value
    method = f"newcombe ({first.method}; {second.method})"
    if math.isnan(value):
        low, high = first.low - second.high, first.high - second.low
    else:
        low = value - math.hypot(first.value - first.low, second.high - second.value)
        high = value + math.hypot(first.high - first.value, second.value - second.low)
    return Interval(value, low, high, method, first.confidence)
