"""The relation: everything but the inserted object is detected as before."""

from __future__ import annotations

from snellen.changes.paste.insert import Insert
from snellen.contract.asked import Asked
from snellen.contract.questions import detections_in
from snellen.contract.verdict import Case, Status, status_of
from snellen.methods.free_places import exempt_box
from snellen.methods.insertion.comparison import InsertedOutcome, compare_insertion
from snellen.methods.insertion.options import InsertionOptions
from snellen.methods.insertion.published_oracle import fails_as_published
from snellen.vision.truth.annotated_objects import AnnotatedObjects


def judge_insertion(
    asked: Asked,
    label: int | None,
    options: InsertionOptions,
    score: float,
    known: AnnotatedObjects | None = None,
) -> Case:
    """An insertion or a control, judged by events or as published.

    label: the inserted object's class id for the subject, None if it has none. score: the
    subject's threshold. known: what is annotated in the scene. The outcome for the inserted
    object itself is a measurement.
    """
    assert asked.before is not None
    before, after = detections_in(asked.before), detections_in(asked.after)
    box = exempt_box(asked.recipe)
    found = compare_insertion(
        before, after, box, label, score=score, iou_threshold=options.iou,
        hysteresis=options.hysteresis, known=known,
    )  # fmt: skip
    status = status_of(found.events)
    if options.as_published:
        failed = fails_as_published(before, after, box, score)
        status = Status.FAILING if failed else Status.HOLDS
    measured = {**asked.after.measurements, **asked.facts, **found.shifts}
    if isinstance(asked.recipe, Insert):
        measured["inserted_score"] = round(found.score, 4)
        measured["inserted_missed"] = float(found.inserted != InsertedOutcome.FOUND)
    return Case(
        asked.recipe, asked.role, status, after, before, found.events, measured, asked.parent
    )
