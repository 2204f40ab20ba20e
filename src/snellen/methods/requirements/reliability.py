"""Precision, recall and average precision of every subtask over visual change."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from snellen.methods.requirements.checked_run import CheckedRun
from snellen.methods.requirements.checks.metric_loss import rates_by_scene
from snellen.methods.requirements.curves.area_grade import BINS as STEPS
from snellen.methods.requirements.curves.area_grade import AreaGrade, grade
from snellen.methods.requirements.curves.area_loss import NAME as AREA
from snellen.methods.requirements.curves.area_loss import areas
from snellen.methods.requirements.curves.change_bins import BINS, by_change
from snellen.methods.requirements.curves.curve_rows import curve_rows
from snellen.methods.requirements.evidence.arms import arms
from snellen.methods.requirements.evidence.case_table import CaseTable
from snellen.methods.requirements.evidence.subtask_counts import Metric, SubtaskCounts, metrics_of
from snellen.methods.requirements.specification.requirement import (
    SUBTASKS,
    WHOLE,
    People,
    Requirement,
)
from snellen.statistics.bootstrap import percentile_interval
from snellen.statistics.intervals import Interval
from snellen.statistics.scene_rates import rate_by_scene
from snellen.vision.arrays import F64

DRAWS = 500
"""Draws of scenes for bands and graded scores, which are looked at and decide nothing."""
CASES, FEWEST_BINS = 15, 5
"""Cases that a bin should have on average, and the fewest bins whatever they have."""


@dataclass(frozen=True, eq=False)
class Along:
    """What a curve is drawn along: a transformation, to which visual change, in how many bins.

    steps: bins of graded scores; with few cases in each, noise alone would lower them.
    weights: (draws, scenes). minimal: what preservation is compared with.
    """

    transformation: str
    most: float
    bins: int
    steps: int
    weights: F64
    minimal: float


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
    cases, scenes = int(chosen.sum()), table.evidence.scenes
    weights = run.weights[:DRAWS, :scenes]
    bins, steps = bins_for(cases), bins_for(cases, STEPS)
    along = Along(first.transformation, most, bins, steps, weights, run.minimal)
    return {
        "transformation": first.transformation,
        "measure": first.measure,
        "label": first.label,
        "kind": first.kind,
        "most": most,
        "cases": cases,
        "scenes": len(np.unique(table.evidence.scene[chosen])),
        "objects": int(counts[chosen, 1, 0].sum()),
        "parts": [
            _curves(
                one,
                SubtaskCounts(table, label, one.start, one.end, counts),
                metrics_of(first),
                along,
            )
            for one in parts_of(table, members)
        ],
    }


def bins_for(cases: int, most: int = BINS) -> int:
    """Into how many bins of visual change so many cases are put.

    >>> bins_for(40), bins_for(120), bins_for(10_000)
    (5, 8, 10)
    """
    return min(max(cases // CASES, FEWEST_BINS), most)


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
    named: Named, part: SubtaskCounts, usual: tuple[Metric, ...], along: Along
) -> dict[str, Any]:
    """The curves of a part by metric; usual: those of a part that no requirement is about."""
    metrics = dict.fromkeys(one for each in named.requirements for one in metrics_of(each))
    wanted: list[Metric] = list(metrics or usual)
    curves: dict[str, Any] = {
        one: _curve(one, people_on(one, named.requirements), part, along) for one in wanted
    }
    if named.start == 0:
        curves[AREA] = _area_curve(part, along)
    return {
        "part": named.name,
        "given": list(part.table.evidence.subtasks[: named.start]),
        "requirements": [one.name for one in named.requirements],
        "curves": curves,
    }


def people_on(metric: str, requirements: Sequence[Requirement]) -> People | None:
    """How well people did by this metric, if a requirement's source knows it."""
    for one in requirements:
        for found in one.source.people or ():
            if found.metric == metric:
                return found
    return None


def _curve(
    metric: Metric, people: People | None, part: SubtaskCounts, along: Along
) -> dict[str, Any]:
    """A metric before, in bins of visual change, and graded; with people where they are known."""
    both = arms(part.table.evidence, along.transformation, -1.0, along.most, along.minimal)
    before, _ = rates_by_scene(part, metric, both)
    bins = by_change(
        part,
        metric,
        along.transformation,
        along.most,
        along.weights,
        bins=along.bins,
        minimal=along.minimal,
    )
    return {
        "clean": rate_by_scene(before[0], before[1], along.weights).to_json(),
        "bins": [one.to_json() for one in bins],
        "graded": _graded(metric, people, part, along).to_json(),
        "people": None if people is None else people.model_dump(mode="json"),
    }


def _graded(metric: Metric, people: People | None, part: SubtaskCounts, along: Along) -> AreaGrade:
    human = None if people is None else (people.delta_v, people.share)
    about = (part, metric, along.transformation, along.most, along.weights)
    try:
        return grade(*about, human=human, bins=along.steps)
    except ValueError:  # the subject and people were not seen in a common range
        return grade(*about, bins=along.steps)


def _area_curve(part: SubtaskCounts, along: Along) -> dict[str, Any]:
    """Average precision before, and in the same bins."""
    edges = np.round(np.linspace(0, along.most, along.bins + 1), 9).tolist()
    spans = list(zip([-1.0, *edges[1:-1]], edges[1:], strict=True))
    found = [_area(part, along, low, high) for low, high in spans]
    _, clean = _area(part, along, -1.0, along.most, after=False)
    return {
        "clean": clean.to_json(),
        "bins": [
            {"low": max(low, 0.0), "high": high, "cases": cases, "value": value.to_json()}
            for (low, high), (cases, value) in zip(spans, found, strict=True)
            if cases
        ],
    }


def _area(
    part: SubtaskCounts, along: Along, low: float, high: float, *, after: bool = True
) -> tuple[int, Interval]:
    """How many cases there are in a range of visual change, and their average precision."""
    both = arms(part.table.evidence, along.transformation, low, high, along.minimal)
    rows = curve_rows(part, both).arm(after)
    values = areas(rows, part.end, np.concatenate([np.ones((1, rows.scenes)), along.weights]))
    cases = int((both.after if after else both.before).sum())
    return cases, percentile_interval(float(values[0]), values[1:])
