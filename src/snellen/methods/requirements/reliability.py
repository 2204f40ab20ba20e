"""Precision, recall and average precision of every subtask over visual change."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from snellen.methods.human.people import People
from snellen.methods.human.subtasks import SUBTASKS, WHOLE
from snellen.methods.requirements.checked_run import CheckedRun
from snellen.methods.requirements.checks.metric_loss import rates_by_scene
from snellen.methods.requirements.curves.area_grade import BINS as STEPS
from snellen.methods.requirements.curves.area_grade import AreaGrade, grade
from snellen.methods.requirements.curves.area_loss import NAME as AREA
from snellen.methods.requirements.curves.area_loss import areas
from snellen.methods.requirements.curves.change_bins import BINS, by_level
from snellen.methods.requirements.curves.curve_rows import curve_rows
from snellen.methods.requirements.curves.paired_levels import change_levels
from snellen.methods.requirements.evidence.arms import Arms
from snellen.methods.requirements.evidence.case_table import CaseTable
from snellen.methods.requirements.evidence.subtask_counts import Metric, SubtaskCounts, metrics_of
from snellen.methods.requirements.own_numbers import (
    Curve,
    CurveBin,
    CurveGrade,
    CurveGroup,
    CurvePart,
    OpenEstimate,
)
from snellen.methods.requirements.specification.requirement import Requirement
from snellen.statistics.bootstrap import percentile_interval
from snellen.statistics.intervals import Interval
from snellen.statistics.scene_rates import rate
from snellen.vision.arrays import F64

DRAWS = 500
"""Bootstrap draws for bands and graded scores, which decide nothing."""
CASES, FEWEST_BINS = 15, 5
"""Mean number of cases per bin, and the fewest bins."""


@dataclass(frozen=True, eq=False)
class CurveAxis:
    """The axis of a curve: a transformation, its largest visual change, and the intervals.

    steps: bins of graded scores; with few cases in each, noise alone would lower them.
    weights: (draws, scenes). confidence: of intervals, as those of the verdicts: each end is a
    bound at the level of their tests.
    """

    transformation: str
    most: float
    steps: int
    weights: F64
    confidence: float


@dataclass(frozen=True)
class NamedPart:
    """Subtasks start + 1 to end of `last`, named by the subtask, or by the task if all of it.

    requirements: those of the group that are about it.
    """

    name: str
    start: int
    end: int
    last: int
    requirements: tuple[Requirement, ...]


def reliability(run: CheckedRun) -> tuple[CurveGroup, ...]:
    """One group per transformation, measure, label and kind of the requirements."""
    groups: dict[tuple[str, ...], list[Requirement]] = {}
    for one in run.requirements:
        about = (one.transformation, one.measure, one.label, one.kind)
        groups.setdefault(about, []).append(one)
    return tuple(
        _group(members, run) for members in groups.values() if members[0].kind in run.tables
    )


def _group(members: Sequence[Requirement], run: CheckedRun) -> CurveGroup:
    first = members[0]
    table = run.tables[first.kind]
    most = run.axes[first.transformation, first.measure]
    label = table.evidence.label(first.label)
    counts = table.counts(label)
    chosen = table.evidence.chosen(first.transformation, -1.0, most)
    cases, scenes = int(chosen.sum()), table.evidence.scenes
    weights = run.weights[:DRAWS, :scenes]
    confidence = 1 - 2 * max(run.alpha(one) for one in members)
    axis = CurveAxis(first.transformation, most, bins_for(cases, STEPS), weights, confidence)
    return CurveGroup(
        transformation=first.transformation,
        measure=first.measure,
        label=first.label,
        kind=first.kind,
        most=most,
        cases=cases,
        scenes=len(np.unique(table.evidence.scene[chosen])),
        objects=int(counts[chosen, 1, 0].sum()),
        parts=tuple(
            _curves(
                one,
                SubtaskCounts(table, label, one.start, one.end, one.last, counts),
                metrics_of(first),
                axis,
            )
            for one in parts_of(table, members)
        ),
    )


def bins_for(cases: int, most: int = BINS) -> int:
    """The number of bins of visual change for a number of cases.

    >>> bins_for(40), bins_for(120), bins_for(10_000)
    (5, 8, 10)
    """
    return min(max(cases // CASES, FEWEST_BINS), most)


def parts_of(table: CaseTable, members: Sequence[Requirement]) -> Iterator[NamedPart]:
    """Every judged subtask, then every task with more than one of them."""
    subtasks = table.evidence.subtasks
    for place, name in enumerate(subtasks):
        about = _about(members, name, subtasks)
        yield NamedPart(name, place, place + 1, len(subtasks), about)
    for task, wanted in SUBTASKS.items():
        if len(wanted) > 1 and subtasks[: len(wanted)] == wanted:
            stages = len(wanted)
            yield NamedPart(task, 0, stages, stages, _about(members, task, subtasks))


def _about(
    members: Sequence[Requirement], name: str, subtasks: Sequence[str]
) -> tuple[Requirement, ...]:
    """The requirements about a part; a task with a single subtask is that subtask."""

    def fits(one: Requirement) -> bool:
        if one.subtask != WHOLE:
            return one.subtask == name
        return one.task == name or (len(SUBTASKS[one.task]) == 1 and name == subtasks[0])

    return tuple(one for one in members if fits(one))


def _curves(
    named: NamedPart, part: SubtaskCounts, usual: tuple[Metric, ...], axis: CurveAxis
) -> CurvePart:
    """The curves of a part by metric; usual: for a part without requirements."""
    metrics = dict.fromkeys(one for each in named.requirements for one in metrics_of(each))
    wanted: list[Metric] = list(metrics or usual)
    curves: dict[str, Curve] = {
        one: _curve(one, people_on(one, named.requirements), part, axis) for one in wanted
    }
    if named.start == 0:
        curves[AREA] = _area_curve(part, axis)
    return CurvePart(
        part=named.name,
        given=tuple(part.table.evidence.subtasks[: named.start]),
        requirements=tuple(one.name for one in named.requirements),
        curves=curves,
    )


def people_on(metric: str, requirements: Sequence[Requirement]) -> People | None:
    """Human performance by this metric, if a requirement's source has it."""
    for one in requirements:
        for found in one.source.people or ():
            if found.metric == metric:
                return found
    return None


def _curve(metric: Metric, people: People | None, part: SubtaskCounts, axis: CurveAxis) -> Curve:
    """A metric before, in bins of visual change, and graded; with people if known."""
    levels = list(change_levels(part.table.evidence, axis.transformation))
    before = rates_by_scene(part, metric, levels[0].arms)[0] if levels else np.zeros((2, 0))
    bins = by_level(part, metric, axis.transformation, axis.confidence)
    return Curve(
        clean=OpenEstimate.of(rate(before[0], before[1], confidence=axis.confidence)),
        bins=tuple(CurveBin.model_validate(one.to_json()) for one in bins),
        graded=CurveGrade.model_validate(_graded(metric, people, part, axis).to_json()),
        people=people,
    )


def _graded(
    metric: Metric, people: People | None, part: SubtaskCounts, axis: CurveAxis
) -> AreaGrade:
    human = None if people is None else (people.delta_v, people.share)
    about = (part, metric, axis.transformation, axis.most, axis.weights)
    try:
        return grade(*about, human=human, bins=axis.steps)
    except ValueError:  # subject and people have no common range
        return grade(*about, bins=axis.steps)


def _area_curve(part: SubtaskCounts, axis: CurveAxis) -> Curve:
    """Average precision of the same scenes before, and at the same levels with its loss."""
    levels = list(change_levels(part.table.evidence, axis.transformation))
    found = [(one, *_area(part, axis, one.arms)) for one in levels]
    return Curve(
        clean=OpenEstimate.of(found[0][1] if found else Interval(math.nan, 0, 1, "none")),
        bins=tuple(
            CurveBin(
                low=one.low,
                high=one.high,
                cases=one.cases,
                value=OpenEstimate.of(after),
                loss=OpenEstimate.of(loss),
                at=one.at,
            )
            for one, _, after, loss in found
        ),
    )


def _area(part: SubtaskCounts, axis: CurveAxis, both: Arms) -> tuple[Interval, Interval, Interval]:
    """Average precision before and after, and the loss, under the same draws of scenes."""
    rows = curve_rows(part, both)
    weights = np.concatenate([np.ones((1, rows.scenes)), axis.weights])
    before, after = (areas(rows.arm(one), part.end, weights) for one in (False, True))
    return (
        percentile_interval(float(before[0]), before[1:], axis.confidence),
        percentile_interval(float(after[0]), after[1:], axis.confidence),
        percentile_interval(float(before[0] - after[0]), before[1:] - after[1:], axis.confidence),
    )
