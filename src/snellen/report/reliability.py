"""Precision, recall and average precision of every subtask over visual change."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from snellen.methods.requirements.area_loss import NAME as AREA
from snellen.methods.requirements.area_loss import areas
from snellen.methods.requirements.arms import arms
from snellen.methods.requirements.case_table import CaseTable
from snellen.methods.requirements.curve_rows import curve_rows
from snellen.methods.requirements.grading import Grade, grade
from snellen.methods.requirements.losses import rates_by_scene
from snellen.methods.requirements.part import Metric, Part, metrics_of
from snellen.methods.requirements.ranges import BINS, by_change
from snellen.methods.requirements.requirement import SUBTASKS, WHOLE, People, Requirement
from snellen.report.checked_run import CheckedRun
from snellen.statistics.bootstrap import percentile_interval
from snellen.statistics.by_scene import rate_by_scene
from snellen.statistics.intervals import Interval

DRAWS = 500
"""Draws of scenes for bands and graded scores, which are looked at and decide nothing."""


@dataclass(frozen=True)
class Named:
    """Subtasks start + 1 to end by the name of the subtask, or of the task if they are all of it.

    requirements: those of the group that are about it.
    """

    name: str
    start: int
    end: int
    requirements: tuple[Requirement, ...]


def reliability(run: CheckedRun) -> list[dict[str, Any]]:
    """One for each transformation, measure, label and kind that requirements are about."""
    groups: dict[tuple[str, ...], list[Requirement]] = {}
    for one in run.requirements:
        about = (one.transformation, one.measure, one.label, one.kind)
        groups.setdefault(about, []).append(one)
    return [_group(members, run) for members in groups.values() if members[0].kind in run.tables]


def _group(members: Sequence[Requirement], run: CheckedRun) -> dict[str, Any]:
    first = members[0]
    table = run.tables[first.kind]
    most = run.axes[first.transformation, first.measure]
    label = table.evidence.label(first.label)
    counts = table.counts(label)
    chosen = table.evidence.chosen(first.transformation, -1.0, most)
    return {
        "transformation": first.transformation,
        "measure": first.measure,
        "label": first.label,
        "kind": first.kind,
        "most": most,
        "cases": int(chosen.sum()),
        "scenes": len(np.unique(table.evidence.scene[chosen])),
        "objects": int(counts[chosen, 1, 0].sum()),
        "parts": [
            _curves(one, Part(table, label, one.start, one.end, counts), first, most, run)
            for one in parts_of(table, members)
        ],
    }


def parts_of(table: CaseTable, members: Sequence[Requirement]) -> Iterator[Named]:
    """Every subtask that was judged, then every task that is more than one of them."""
    subtasks = table.evidence.subtasks
    for place, name in enumerate(subtasks):
        yield Named(name, place, place + 1, _about(members, name, subtasks))
    for task, wanted in SUBTASKS.items():
        if len(wanted) > 1 and subtasks[: len(wanted)] == wanted:
            yield Named(task, 0, len(wanted), _about(members, task, subtasks))


def _about(
    members: Sequence[Requirement], name: str, subtasks: Sequence[str]
) -> tuple[Requirement, ...]:
    """A whole task of a single subtask is that subtask."""

    def fits(one: Requirement) -> bool:
        if one.subtask != WHOLE:
            return one.subtask == name
        return one.task == name or (len(SUBTASKS[one.task]) == 1 and name == subtasks[0])

    return tuple(one for one in members if fits(one))


def _curves(
    named: Named, part: Part, first: Requirement, most: float, run: CheckedRun
) -> dict[str, Any]:
    metrics = dict.fromkeys(one for each in named.requirements for one in metrics_of(each))
    wanted: list[Metric] = list(metrics) or list(metrics_of(first))
    curves: dict[str, Any] = {one: _curve(one, named, part, first, most, run) for one in wanted}
    if named.start == 0:
        curves[AREA] = _area_curve(part, first, most, run)
    return {
        "part": named.name,
        "given": list(part.table.evidence.subtasks[: named.start]),
        "requirements": [one.name for one in named.requirements],
        "curves": curves,
    }


def _curve(
    metric: Metric, named: Named, part: Part, first: Requirement, most: float, run: CheckedRun
) -> dict[str, Any]:
    """A metric before, in bins of visual change, and graded; with people where they are known."""
    weights = run.weights[:DRAWS, : part.table.evidence.scenes]
    both = arms(part.table.evidence, first.transformation, -1.0, most, run.minimal)
    before, _ = rates_by_scene(part, metric, both)
    bins = by_change(part, metric, first.transformation, most, weights, minimal=run.minimal)
    people = people_on(metric, named.requirements)
    graded = _graded(metric, part, first, most, weights, people)
    return {
        "clean": rate_by_scene(before[0], before[1], weights).to_json(),
        "bins": [one.to_json() for one in bins],
        "graded": graded.to_json(),
        "people": None if people is None else people.model_dump(mode="json"),
    }


def people_on(metric: str, requirements: Sequence[Requirement]) -> People | None:
    """How well people did by this metric, if a requirement's source knows it."""
    for one in requirements:
        for found in one.source.people or ():
            if found.metric == metric:
                return found
    return None


def _graded(
    metric: Metric,
    part: Part,
    first: Requirement,
    most: float,
    weights: Any,
    people: People | None,
) -> Grade:
    human = None if people is None else (people.delta_v, people.share)
    try:
        return grade(part, metric, first.transformation, most, weights, human=human)
    except ValueError:  # the subject and people were not seen in a common range
        return grade(part, metric, first.transformation, most, weights)


def _area_curve(part: Part, first: Requirement, most: float, run: CheckedRun) -> dict[str, Any]:
    """Average precision before, and in the same bins."""
    edges = np.round(np.linspace(0, most, BINS + 1), 9).tolist()
    lows = [-1.0, *edges[1:-1]]
    found = [_area(part, first, low, high, run) for low, high in zip(lows, edges[1:], strict=True)]
    clean = _area(part, first, -1.0, most, run, after=False)
    return {
        "clean": clean[1].to_json(),
        "bins": [
            {"low": max(low, 0.0), "high": high, "cases": cases, "value": value.to_json()}
            for low, high, (cases, value) in zip(lows, edges[1:], found, strict=True)
            if cases
        ],
    }


def _area(
    part: Part, first: Requirement, low: float, high: float, run: CheckedRun, after: bool = True
) -> tuple[int, Interval]:
    both = arms(part.table.evidence, first.transformation, low, high, run.minimal)
    rows = curve_rows(part, both).arm(after)
    weights = run.weights[:DRAWS, : part.table.evidence.scenes]
    own = np.concatenate([np.ones((1, rows.scenes)), weights])
    values = areas(rows, part.end, own)
    cases = int((both.after if after else both.before).sum())
    return cases, percentile_interval(float(values[0]), values[1:])
