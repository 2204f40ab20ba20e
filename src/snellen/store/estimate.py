"""A rate or a difference with its interval, in a summary and in words."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pydantic import BaseModel, ConfigDict

from snellen.statistics.intervals import CONFIDENCE, Interval


class Estimate(BaseModel):
    """A rate or a difference with its interval.

    value: None without data. method: how the interval was computed. p: the p-value of a difference
    being zero; None if nothing was tested.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    value: float | None
    low: float
    high: float
    method: str = ""
    confidence: float = CONFIDENCE
    p: float | None = None

    @classmethod
    def of(cls, interval: Interval) -> Estimate:
        """The estimate of an interval."""
        return cls.model_validate(interval.to_json())


def p_words(p: float) -> str:
    """A p-value.

    >>> p_words(0.00004), p_words(0.0312)
    ('p < 0.001', 'p = 0.031')
    """
    return "p < 0.001" if p < 0.001 else f"p = {p:.3f}"


def percent(rate: Estimate | Mapping[str, Any]) -> str:
    """A rate with its interval.

    >>> percent({"value": 0.25, "low": 0.1, "high": 0.5})
    '25.0% (95% interval 10.0% to 50.0%)'
    """
    parsed = estimate(rate)
    if parsed.value is None:
        return "no cases"
    value, low, high = (f"{100 * one:.1f}%" for one in (parsed.value, parsed.low, parsed.high))
    return f"{value} ({100 * parsed.confidence:.0f}% interval {low} to {high})"


def points(difference: Estimate | Mapping[str, Any]) -> str:
    """A difference of two rates in percentage points, with its interval.

    >>> points({"value": 0.25, "low": -0.1, "high": 0.5})
    '+25.0 points (95% interval -10.0 to +50.0)'
    >>> points({"value": -0.0, "low": -0.0004, "high": 0.0})
    '0.0 points (95% interval 0.0 to 0.0)'
    """
    parsed = estimate(difference)
    if parsed.value is None:
        return "not known"
    value, low, high = (_signed(one) for one in (parsed.value, parsed.low, parsed.high))
    return f"{value} points ({100 * parsed.confidence:.0f}% interval {low} to {high})"


def estimate(value: Estimate | Mapping[str, Any]) -> Estimate:
    """The value as an estimate; a method's own numbers are plain values."""
    return value if isinstance(value, Estimate) else Estimate.model_validate(dict(value))


def _signed(share: float) -> str:
    """In percentage points, with its sign unless it rounds to zero."""
    rounded = round(100 * share, 1)
    return f"{rounded:+.1f}" if rounded else "0.0"
