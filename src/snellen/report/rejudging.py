"""A case judged anew, by the relation of its method, from answers that are given."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from snellen.changes.insert import Insert
from snellen.changes.patch import Patch
from snellen.changes.recipe import Recipe
from snellen.changes.registry import recipe_from_json
from snellen.methods.insertion.controls import Control
from snellen.methods.insertion.judging import Judge
from snellen.methods.insertion.method import InsertionMethod
from snellen.methods.insertion.plan import Planned, box_of
from snellen.methods.questions import Answer, Question
from snellen.methods.verdict import Case, Verdict, status_of
from snellen.objects.names import plain_name
from snellen.report.findings import EventRow, Finding
from snellen.report.reopening import Reopened
from snellen.store.rows import event_rows
from snellen.subjects.subject import Prediction, Subject
from snellen.vision.detections import Detections
from snellen.vision.events import HYSTERESIS, compare_predictions


def judged_again(
    run: Reopened, subject: Subject, finding: Finding, before: Prediction, after: Prediction
) -> Finding:
    """The finding with the status and the events that these answers give it."""
    recipe = recipe_from_json(finding.recipe)
    if isinstance(run.method, InsertionMethod) and isinstance(before, Detections):
        judge = Judge(run.method.options, subject.score, before)
        case = _inserted(judge, run, subject, finding, recipe, Answer(after))
    else:
        case = _compared(run, subject, recipe, before, after)
    events = tuple(_event(row) for row in event_rows(0, Verdict((case,)), subject.classes))
    return replace(finding, status=str(case.status), events=events)


def _inserted(
    judge: Judge, run: Reopened, subject: Subject, finding: Finding, recipe: Recipe, answer: Answer
) -> Case:
    if isinstance(recipe, Insert):
        name = plain_name(run.labels.get(recipe.object, ""))
        labels = {plain_name(one): id for id, one in enumerate(subject.classes)}
        told = finding.measurements
        target, gap = int(told.get("target", 0)), told.get("gap", 0.0)
        return judge.insertion(Planned(recipe, labels.get(name), target, gap), answer, finding.role)
    pasted = isinstance(recipe, Patch) and (recipe.x, recipe.y) != (recipe.from_x, recipe.from_y)
    box = box_of(recipe) if pasted else None  # type: ignore[arg-type]
    question = Question(run.scene(finding.scene), recipe)
    return judge.control(Control(finding.role.removeprefix("control:"), question, box), answer)


def _compared(
    run: Reopened, subject: Subject, recipe: Recipe, before: Prediction, after: Prediction
) -> Case:
    options = run.campaign.options
    events = compare_predictions(
        before,
        after,
        score=subject.score,
        iou=options.get("iou", 0.5),
        hysteresis=options.get("hysteresis", HYSTERESIS),
    )
    return Case(recipe, "test", status_of(events), after, before, events)


def _event(row: tuple[Any, ...]) -> EventRow:
    kind, severity, _, name, _, new_name, margin, iou, old, new, before, after = row[3:15]
    box = None if row[15] is None else (row[15], row[16], row[17], row[18])
    return EventRow(kind, severity, name, new_name, margin, iou, old, new, before, after, box)
