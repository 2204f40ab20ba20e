"""The verdicts on requirements in words, the same on a terminal and on a page."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from snellen.methods.requirements.own_numbers import RequirementRow
from snellen.statistics.non_inferiority import LossStatus
from snellen.store.summary import RequirementVerdict


def requirement_verdict(requirements: Sequence[RequirementVerdict]) -> str:
    """How many requirements are violated or undecided, and the sentence of the largest loss."""
    count, of = Counter(one.status for one in requirements), len(requirements)
    open_ones, broken = count[LossStatus.UNDECIDED], count[LossStatus.VIOLATED]
    if not broken:
        return _unbroken(open_ones, of)
    violated = [one for one in requirements if one.status == LossStatus.VIOLATED]
    largest = max(violated, key=lambda one: -math.inf if one.value is None else one.value)
    undecided = f", {open_ones} undecided" if open_ones else ""
    counts = f"{broken} of {of} requirements {_are(broken)} violated{undecided}."
    return f"{counts} The largest loss: {largest.says}."


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


def loss_words(value: float | None, ends: tuple[float, float] | None, metric: str | None) -> str:
    """The loss that decides a verdict, in percentage points, with its interval.

    >>> loss_words(0.12, (0.08, 0.155), "recall")
    '12.0 points of recall (8.0 to 15.5)'
    """
    if value is None or ends is None:
        return "not known"
    lost, low, high = (f"{round(100 * one, 1) + 0.0:.1f}" for one in (value, *ends))
    return f"{lost} points of {metric} ({low} to {high})"


def gate_steps(requirements: Sequence[RequirementRow], folder: Path) -> list[str]:
    """What to do with the verdicts, and about undecided ones."""
    steps = [f"use them as a gate in CI: snellen gate {folder}"]
    undecided = [one for one in requirements if one.status == LossStatus.UNDECIDED]
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


def _idle(one: RequirementRow) -> bool:
    """Whether none of its thresholds demands anything."""
    return one.threshold in one.demands_nothing
