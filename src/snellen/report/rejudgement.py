"""A case judged anew, by the relation of its method, from answers that are given."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from snellen.changes.registry import recipe_from_json
from snellen.contract.method import Rejudges
from snellen.contract.verdict import Case, Status, Verdict, status_of
from snellen.report.reopened_run import Reopened
from snellen.store.findings import EventRow, Finding, solid_box
from snellen.store.verdict_rows import event_rows
from snellen.subjects.subject import Prediction, Subject
from snellen.vision.events import HYSTERESIS, compare_predictions


def judged_again(
    run: Reopened,
    subject: Subject,
    finding: Finding,
    recorded: tuple[Prediction | None, Prediction],
    said: tuple[Prediction, Prediction],
) -> Finding:
    """The finding with the status and the events that new answers give it.

    recorded: what the journal has of before and after. said: what the subject says now of the scene
    and of the case.
    """
    old, new = recorded
    case = Case(
        recipe_from_json(finding.recipe),
        finding.role,
        Status(finding.status),
        new,
        old,
        measurements=finding.measurements,
    )
    method = run.method
    case = (
        method.judged_again(case, run.scene(finding.scene), *said)
        if isinstance(method, Rejudges)
        else _compared(run, subject, case, *said)
    )
    events = tuple(_event(row) for row in event_rows(0, Verdict((case,)), subject.classes))
    return replace(finding, status=str(case.status), events=events)


def _compared(
    run: Reopened, subject: Subject, case: Case, before: Prediction, after: Prediction
) -> Case:
    options = run.campaign.options
    events = compare_predictions(
        before,
        after,
        score=subject.score,
        iou=options.get("iou", 0.5),
        hysteresis=options.get("hysteresis", HYSTERESIS),
    )
    return replace(case, status=status_of(events), before=before, after=after, events=events)


def _event(row: tuple[Any, ...]) -> EventRow:
    kind, severity, _, name, _, new_name, margin, iou, old, new, before, after = row[3:15]
    box = None if row[15] is None else (row[15], row[16], row[17], row[18])
    told = (kind, severity, name, new_name, margin, iou, old, new, before, after, box)
    return EventRow(*told, solid_box(row[19]))
