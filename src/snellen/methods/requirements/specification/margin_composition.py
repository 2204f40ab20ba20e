"""Margins that compose: those of the parts of a task add up to no more than that of the whole.

The losses of the parts add up to the loss of the whole. So if every part stays within its margin,
the whole stays within its own: satisfied parts imply a satisfied whole, with the same confidence.
"""

from __future__ import annotations

import logging
from collections.abc import Iterable, Mapping, Sequence
from typing import TypeAlias

from snellen.errors import UserError
from snellen.methods.human.subtasks import SUBTASKS, WHOLE, SubtaskName
from snellen.methods.requirements.evidence.subtask_counts import Metric, metrics_of
from snellen.methods.requirements.specification.margin import Margin
from snellen.methods.requirements.specification.requirement import HUMAN, MARGIN, Requirement

log = logging.getLogger(__name__)

Margins: TypeAlias = Mapping[Metric, Margin]
"""The tolerated loss of each metric."""
_SLACK = 1e-9


def parts_of_whole(
    whole: Requirement, requirements: Iterable[Requirement]
) -> tuple[Requirement, ...]:
    """The requirements on all subtasks of a whole task, up to its threshold; empty if one lacks.

    They are about the same label, transformation, measure and kind, by the same metrics, and at
    least as confident.
    """
    if whole.subtask != WHOLE:
        return ()
    found: dict[SubtaskName, Requirement] = {}
    for one in requirements:
        if one.subtask != WHOLE and _is_part(one, whole):
            found[one.subtask] = one
    wanted = SUBTASKS[whole.task]
    return tuple(found[name] for name in wanted) if set(wanted) == set(found) else ()


def _is_part(one: Requirement, whole: Requirement) -> bool:
    same = one.about[1:] == whole.about[1:] and one.metric == whole.metric
    reaches = whole.task in one.tasks and whole.threshold in one.thresholds
    return same and reaches and one.confidence >= whole.confidence


def margins_of(requirements: Sequence[Requirement]) -> dict[str, Margins]:
    """The margins by name of requirement; those of parts shrunk to fit those of wholes.

    What people lose is the margin of a part if it says so, and no less than the default; that of
    a whole is the sum of its parts.
    """
    stated: dict[str, dict[Metric, Margin]] = {one.name: _stated(one) for one in requirements}
    for whole in requirements:
        parts = parts_of_whole(whole, requirements)
        if parts and whole.margin == HUMAN:
            stated[whole.name] = {
                metric: _sum([stated[one.name][metric] for one in parts])
                for metric in metrics_of(whole)
            }
    found: dict[str, Margins] = dict(stated)
    for whole in requirements:
        for metric, margin in stated[whole.name].items():
            _fit(metric, margin, parts_of_whole(whole, requirements), stated, found)
    return found


def _fit(
    metric: Metric,
    margin: Margin,
    parts: Sequence[Requirement],
    stated: Mapping[str, Margins],
    found: dict[str, Margins],
) -> None:
    """Shrink the margins of parts that add up to more than that of their whole."""
    total = sum(stated[one.name][metric].low for one in parts)
    if total <= margin.low + _SLACK:
        return
    for one in parts:
        share = stated[one.name][metric].share(margin.low / total)
        if share.low < found[one.name][metric].low:
            found[one.name] = {**found[one.name], metric: share}


def _sum(margins: Sequence[Margin]) -> Margin:
    return Margin(
        sum(one.value for one in margins),
        sum(one.low for one in margins),
        sum(one.high for one in margins),
        "people",
    )


def _stated(one: Requirement) -> dict[Metric, Margin]:
    """The margins of a requirement by itself."""
    if one.margin != HUMAN:
        return {metric: Margin.fixed(float(one.margin)) for metric in metrics_of(one)}
    return {metric: human_margin(one, metric) for metric in metrics_of(one)}


def check_human_margins(requirements: Sequence[Requirement], where: str) -> None:
    """Refuse margins from people where their answers are unknown."""
    for one in requirements:
        if one.margin != HUMAN or parts_of_whole(one, requirements):
            continue
        known = {each.metric for each in one.source.people or () if each.loss is not None}
        missing = [metric for metric in metrics_of(one) if metric not in known]
        if missing:
            what = " and ".join(missing)
            raise UserError(
                f"{where}: requirement '{one.name}': margin: found 'human', but its source does "
                f"not say what people lose of {what}. Estimate it with `snellen thresholds DATA "
                "--json`, or set a number such as 0.02."
            )


def human_margin(one: Requirement, metric: str) -> Margin:
    """What people lose up to the threshold, with its uncertainty, and no less than the default."""
    for people in one.source.people or ():
        if people.metric == metric and people.loss is not None:
            value, low, high = (
                max(MARGIN, end) for end in (people.loss.value, people.loss.low, people.loss.high)
            )
            return Margin(value, low, high, "people")
    return Margin(MARGIN, MARGIN, MARGIN, "people")


def warn_of_shrunk(requirements: Sequence[Requirement]) -> None:
    """Log a warning for parts whose margins do not fit that of their whole."""
    for name, margins in margins_of(requirements).items():
        shrunk = [margin.value for margin in margins.values() if margin.source == "share"]
        if shrunk:
            log.warning(
                "requirement '%s' is a part of a whole task whose margin is less than those of its "
                "parts together. It is judged with a margin of %.3g, so that satisfied parts imply "
                "a satisfied whole; set margins that add up to choose the shares.",
                name,
                min(shrunk),
            )
