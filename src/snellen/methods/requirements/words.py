"""The verdicts on requirements in words, the same on a terminal and on a page."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any


def requirement_verdict(requirements: Sequence[Mapping[str, Any]]) -> str:
    """How many requirements are violated or undecided, and the sentence of the largest loss.

    >>> requirement_verdict([{"status": "satisfied"}, {"status": "satisfied"}])
    'All 2 requirements are satisfied: no loss exceeds the tolerance.'
    """
    count, of = Counter(one["status"] for one in requirements), len(requirements)
    if not count["violated"]:
        return _unbroken(count["undecided"], of)
    broken = [one for one in requirements if one["status"] == "violated"]
    largest = max(broken, key=lambda one: one["value"])
    undecided = f", {count['undecided']} undecided" if count["undecided"] else ""
    counts = (
        f"{count['violated']} of {of} requirements {_are(count['violated'])} violated{undecided}."
    )
    return f"{counts} The largest loss: {largest['says']}."


def _unbroken(undecided: int, of: int) -> str:
    if undecided:
        return (
            f"No requirement is violated, but {undecided} of {of} {_are(undecided)} undecided: "
            "undecided does not count as a pass."
        )
    if of == 1:
        return "The requirement is satisfied: no loss exceeds the tolerance."
    return f"All {of} requirements are satisfied: no loss exceeds the tolerance."


def _are(count: int) -> str:
    return "is" if count == 1 else "are"


def loss_words(one: Mapping[str, Any]) -> str:
    """The loss that decides a verdict, in percentage points, with its interval.

    >>> loss_words({"value": 0.12, "low": 0.08, "high": 0.155, "metric": "recall"})
    '12.0 points of recall (8.0 to 15.5)'
    """
    if one["value"] is None:
        return "not known"
    value, low, high = (f"{round(100 * one[key], 1) + 0.0:.1f}" for key in ("value", "low", "high"))
    return f"{value} points of {one['metric']} ({low} to {high})"


def gate_steps(requirements: Sequence[Mapping[str, Any]], folder: Path) -> list[str]:
    """What to do with the verdicts, and about undecided ones."""
    steps = [f"use them as a gate in CI: snellen gate {folder}"]
    undecided = [one for one in requirements if one["status"] == "undecided"]
    idle = sum(_idle(one) for one in undecided)
    if idle:
        steps.append(
            f"{idle} demand{'s' if idle == 1 else ''} nothing and can't be decided: raise the "
            "threshold above `minimal`, or drop it"
        )
    remaining = len(undecided) - idle
    if remaining:
        steps.append(
            f"{remaining} {_are(remaining)} undecided; more scenes with these labels help most, "
            "more `samples` of the same scenes less"
        )
    return steps


def _idle(one: Mapping[str, Any]) -> bool:
    """Whether none of its thresholds demands anything."""
    spare = one.get("demands_nothing") or ()
    return bool(spare) and one["threshold"] in spare
