"""Summaries made by hand, for tests of what is made of them."""

from __future__ import annotations

from typing import Any

from snellen.store.summary import Summary


def rate(value: float | None, low: float = 0.0, high: float = 1.0) -> dict[str, Any]:
    """A rate with its interval, as `summary.json` has it."""
    return {"value": value, "low": low, "high": high, "confidence": 0.95, "method": "m"}


def made_summary(**changes: Any) -> Summary:
    """A summary of insertion with 20 failures in 100 cases; changes: keys to replace."""
    base = {
        "snellen_version": "0",
        "method": "insertion",
        "subject": {
            "name": "s",
            "task": "detection",
            "fingerprint": "f",
            "score": 0.5,
            "deterministic": True,
        },
        "seed": 1,
        "scenes": 9,
        "units": {"done": 9, "total": 9, "errors": 0, "left_out": 0},
        "cases": 120,
        "test_cases": 100,
        "questions": 129,
        "cache_hits": 0,
        "failing_cases": 20,
        "borderline_cases": 0,
        "flaky_cases": 0,
        "failure_rate": rate(0.2, 0.15, 0.25),
        "control": {"cases": 20, "failing": 0, "rate": rate(0.0, 0.0, 0.1)},
        "controls": {},
        "difference": rate(0.2, 0.1, 0.25),
        "events": {"lost": 20},
        "borderline_events": {},
        "by_class": {"cat": {"lost": 20}},
        "errors": [],
        "skipped": 0,
        "seconds": {"total": 1.0, "subject": 1.0, "building": 0.0},
    }
    return Summary.model_validate({**base, **changes})
