"""The verdicts on requirements in words, the same on a terminal and on a page."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from snellen.methods.requirements.own_numbers import RequirementRow
from snellen.statistics.multiplicity import FALSE_SHARE
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
    return f"{counts}{family_words(requirements)} The largest loss: {largest.says}."


def family_words(requirements: Sequence[RequirementVerdict]) -> str:
    """How many violations remain if false ones among all requirements are limited; or empty.

    A verdict by itself does not depend on what else is checked. Among many requirements that are
    just met, some would be violated by chance, which this sentence accounts for.
    """
    violated = [one for one in requirements if one.status == LossStatus.VIOLATED]
    known = [one for one in violated if _number(one, "p_adjusted") is not None]
    if len(requirements) < 2 or not known:
        return ""
    remain = sum((_number(one, "p_adjusted") or 0.0) < FALSE_SHARE for one in known)
    what = {0: "none of them remains", len(violated): "all of them remain"}
    count = what.get(remain, f"{remain} of them {'remains' if remain == 1 else 'remain'}")
    if len(violated) == 1:
        count = "it remains" if remain else "it does not remain"
    return (
        f" With a false discovery rate of at most {FALSE_SHARE:.0%} over all {len(requirements)}, "
        f"{count}."
    )


def _number(one: RequirementVerdict, name: str) -> float | None:
    """A number that the method adds to a verdict; None if it is missing."""
    found = one.to_json().get(name)
    return found if isinstance(found, int | float) else None


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
        needed = [one.more_scenes for one in undecided if one.more_scenes]
        about = f", about {max(needed):,} for all that can be estimated" if needed else ""
        steps.append(
            f"{remaining} {_are(remaining)} undecided; more scenes with these labels help most"
            f"{about}, more `samples` of the same scenes less"
        )
    return steps


def _idle(one: RequirementRow) -> bool:
    """Whether none of its thresholds demands anything."""
    return one.threshold in one.demands_nothing
