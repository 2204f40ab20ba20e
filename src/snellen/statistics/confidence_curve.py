"""Confidence limits at every level, from which intervals and p-values are read alike."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from scipy import optimize, special

from snellen.statistics.intervals import CONFIDENCE, Interval

Side = Literal["two-sided", "lower", "upper"]
"""An interval, or a single bound: below (value exceeds it) or above (value stays under it)."""

_FARTHEST = -7.5
"""Normal score of the smallest tail: 3e-14."""


@dataclass(frozen=True)
class ConfidenceCurve:
    """A value with its lower and upper limit as functions of the normal score of the tail.

    The limits move away from the value as the score falls from 0; `least` and `most` are the
    values that are possible at all.
    """

    value: float
    lower: Callable[[float], float]
    upper: Callable[[float], float]
    least: float
    most: float
    method: str

    def scaled(self, factor: float, method: str) -> ConfidenceCurve:
        """The curve of the value times a positive factor."""
        return ConfidenceCurve(
            self.value * factor,
            lambda score: self.lower(score) * factor,
            lambda score: self.upper(score) * factor,
            self.least * factor,
            self.most * factor,
            method,
        )

    def interval(
        self,
        confidence: float = CONFIDENCE,
        side: Side = "two-sided",
        null: float | None = None,
    ) -> Interval:
        """The limits at a confidence, and the p-value of `null` (NaN if None)."""
        low, high = self.limits(confidence, side)
        p = math.nan if null is None else self.p(null, side)
        return Interval(self.value, low, high, self.method, confidence, p)

    def limits(self, confidence: float, side: Side) -> tuple[float, float]:
        """The interval's ends; a single bound has the possible extreme on its other side."""
        if not 0 < confidence < 1:
            raise ValueError(f"confidence must lie between 0 and 1; found {confidence}")
        if math.isnan(self.value):
            return self.least, self.most
        tail = (1 - confidence) / 2 if side == "two-sided" else 1 - confidence
        score = min(float(special.ndtri(tail)), 0.0)
        low = self.least if side == "upper" else max(self.lower(score), self.least)
        return low, self.most if side == "lower" else min(self.upper(score), self.most)

    def p(self, null: float, side: Side = "two-sided") -> float:
        """The p-value: the tail, or twice the tail if two-sided, at which a limit meets `null`.

        "lower" tests that the value is at most null (small if a lower bound exceeds it), "upper"
        that it is at least null.
        """
        if math.isnan(self.value):
            return math.nan
        if side == "two-sided":
            return min(1.0, 2 * (self._below(null) if null < self.value else self._above(null)))
        near, far = (self._below, self._above) if side == "lower" else (self._above, self._below)
        beyond = null < self.value if side == "lower" else null > self.value
        return near(null) if beyond or null == self.value else 1 - far(null)

    def _below(self, null: float) -> float:
        return _tail(lambda score: self.lower(score) - null)

    def _above(self, null: float) -> float:
        return _tail(lambda score: null - self.upper(score))


def _tail(excess: Callable[[float], float]) -> float:
    """The tail, at most 0.5, at which a limit meets the null; excess rises with the score."""
    if excess(0.0) <= 0:
        return 0.5
    if excess(_FARTHEST) > 0:
        return float(special.ndtr(_FARTHEST))
    found = optimize.brentq(excess, _FARTHEST, 0.0, xtol=1e-12)
    return float(special.ndtr(found))
