"""A finding judged again by its method, from new answers."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from snellen.changes.registry import recipe_from_json
from snellen.contract.asked import Asked
from snellen.contract.verdict import Case, Status, Verdict
from snellen.report.reopened_run import Reopened
from snellen.store.findings import EventRow, Finding, solid_box
from snellen.store.verdict_rows import event_rows
from snellen.subjects.subject import Prediction, Subject


def judged_again(
    run: Reopened,
    subject: Subject,
    finding: Finding,
    recorded: tuple[Prediction | None, Prediction],
    answers: tuple[Prediction | None, Prediction],
) -> Finding:
    """The finding with its status and events for new answers.

    recorded: before and after in the journal. answers: the subject's answer about the method's
    baseline, None for a method without one, and its answer about the case.
    """
    case = Case(
        recipe_from_json(finding.recipe),
        finding.role,
        Status(finding.status),
        recorded[1],
        recorded[0],
        measurements=finding.measurements,
        parent=finding.parent,
    )
    before, after = answers
    judged = run.method.judge(Asked.again(case, run.scene(finding.scene), after, before))
    events = tuple(_event(row) for row in event_rows(0, Verdict((judged,)), subject.classes))
    return replace(finding, status=str(judged.status), events=events)


def _event(row: tuple[Any, ...]) -> EventRow:
    kind, severity, _, name, _, new_name, margin, iou, old, new, before, after = row[3:15]
    box = None if row[15] is None else (row[15], row[16], row[17], row[18])
    values = (kind, severity, name, new_name, margin, iou, old, new, before, after, box)
    return EventRow(*values, solid_box(row[19]))
