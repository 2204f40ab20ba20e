"""What the page says of one requirement: what is demanded, how sure the verdict is, what to do."""

from __future__ import annotations

from snellen.methods.requirements.own_numbers import RequirementRow
from snellen.statistics.non_inferiority import LossStatus
from snellen.store.estimate import p_words

TESTED = {
    LossStatus.SATISFIED: "shown to be within the tolerated loss",
    LossStatus.VIOLATED: "shown to be beyond the tolerated loss",
}
SOURCES = {"share": " (its share of the whole)", "people": " (as people lose)", "set": ""}


def demand_words(one: RequirementRow) -> str:
    """What is demanded, in one sentence."""
    part = "the whole task" if one.subtask == "whole" else one.subtask
    label = "any label" if one.label == "any" else one.label
    thresholds = ", ".join(f"{value:g}" for value in one.thresholds)
    points = f"{round(100 * one.margin, 2):g}"
    margin = one.margins.get(one.metric or "")
    source = "" if margin is None else SOURCES[margin.source]
    metrics = " and ".join(one.margins) or "the metric"
    against = "" if one.kind == "correctness" else ", compared with hardly changed images"
    return (
        f"{one.task}, {part}: {metrics} of {label} may fall by at most {points} points{source} "
        f"under {one.transformation} up to visual change {thresholds}{against}"
    )


def certainty_words(one: RequirementRow) -> str:
    """How sure the verdict is, and on what it is based."""
    based = _based(one)
    if one.status == LossStatus.UNDECIDED:
        return f"neither is shown{_levels(one)}{based}"
    p = one.p_satisfied if one.status == LossStatus.SATISFIED else one.p_violated
    chance = "" if p is None else f", {p_words(p)}"
    return f"{TESTED[one.status]}{chance}{_levels(one)}{based}"


def step_words(one: RequirementRow) -> str:
    """What to do about it."""
    label = "objects" if one.label == "any" else one.label
    if one.status == LossStatus.SATISFIED:
        return "Nothing: keep it as a gate for later versions."
    if one.status == LossStatus.VIOLATED:
        start = "" if not one.breaks_from else f" from visual change {one.breaks_from:.2g} on"
        return (
            f"Improve the subject under {one.transformation}{start}, or keep it out of such "
            "conditions. The findings show what is lost."
        )
    if one.threshold in one.demands_nothing:
        return "It demands nothing: raise its threshold above `minimal`, or drop it."
    if one.more_scenes:
        return f"Do not count it as a pass. About {one.more_scenes:,} more scenes would decide it."
    return f"Do not count it as a pass. Add scenes that show {label}."


def _based(one: RequirementRow) -> str:
    found = one.metrics.get(one.metric or "")
    if found is None or found.counted is None:
        return ""
    what = {"precision": "detections", "recall": "objects"}.get(found.metric, "cases")
    return f"; {found.counted:,.0f} {what} in {found.scenes:,} scenes"


def _levels(one: RequirementRow) -> str:
    return "" if one.level is None else f" (tested at {100 * one.level:.2g}%)"
