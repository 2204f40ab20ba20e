"""The relation: everything but the inserted object is detected as before."""

from __future__ import annotations

from collections.abc import Mapping

from snellen.changes.paste.insert import Insert
from snellen.contract.asked import Asked
from snellen.contract.questions import detections_in
from snellen.contract.verdict import Case, Status, status_of
from snellen.methods.free_places import Box, exempt_box
from snellen.methods.insertion.comparison import InsertedOutcome, compare_insertion
from snellen.methods.insertion.options import InsertionOptions
from snellen.methods.insertion.published_oracle import fails_as_published
from snellen.vision.detections import Detections
from snellen.vision.events import Event, compare_predictions


def judge_insertion(
    asked: Asked, label: int | None, options: InsertionOptions, score: float
) -> Case:
    """An insertion or a control, judged by events or as published.

    label: the inserted object's class id for the subject, None if it has none. score: the
    subject's threshold. The outcome for the inserted object itself is a measurement.
    """
    assert asked.before is not None
    before, after = detections_in(asked.before), detections_in(asked.after)
    box = exempt_box(asked.recipe)
    events, measured = _compared(asked, before, after, box, label, options, score)
    status = status_of(events)
    if options.as_published:
        failed = fails_as_published(before, after, box, score)
        status = Status.FAILING if failed else Status.HOLDS
    return Case(asked.recipe, asked.role, status, after, before, events, measured, asked.parent)


def _compared(
    asked: Asked,
    before: Detections,
    after: Detections,
    box: Box | None,
    label: int | None,
    options: InsertionOptions,
    score: float,
) -> tuple[tuple[Event, ...], Mapping[str, float]]:
    """The events, and the measurements; controls have only those known in advance."""
    iou, hysteresis = options.iou, options.hysteresis
    if box is None:
        same = compare_predictions(before, after, score=score, iou=iou, hysteresis=hysteresis)
        return same, asked.facts
    found = compare_insertion(
        before, after, box, label, score=score, iou_threshold=iou, hysteresis=hysteresis
    )
    if not isinstance(asked.recipe, Insert):
        return found.events, asked.facts
    return found.events, {
        **asked.after.measurements,
        **asked.facts,
        "inserted_score": round(found.score, 4),
        "inserted_missed": float(found.inserted != InsertedOutcome.FOUND),
    }
