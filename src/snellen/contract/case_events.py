"""The events of a case whose recipe may move what is in the scene."""

from __future__ import annotations

from dataclasses import replace

from snellen.changes.identity import Identity
from snellen.contract.asked import Asked
from snellen.vision.arrays import Boxes
from snellen.vision.detections import Detections
from snellen.vision.events import HYSTERESIS, Event, compare_predictions
from snellen.vision.truth.annotated_objects import AnnotatedObjects
from snellen.vision.truth.event_truth import with_truth


def case_events(
    asked: Asked,
    *,
    score: float,
    iou: float = 0.5,
    hysteresis: float = HYSTERESIS,
    known: AnnotatedObjects | None = None,
) -> tuple[Event, ...]:
    """The events between what is expected of a case and the answer about it; () if they agree.

    Expected is the answer about the unchanged scene, each box where `Recipe.moved_boxes` puts it.
    The boxes of events that strike an object of the scene stay in the pixels of the scene. score,
    iou, hysteresis: as of `compare_predictions`. known: what is annotated in the scene, from
    `Setting.annotated_objects`; it tells a lost object from a lost mistake, and a phantom from an
    object that was there all along. The same picture must get the same answer: there, every change
    counts as it is.
    """
    assert asked.before is not None
    before, after = asked.before.prediction, asked.after.prediction
    if not isinstance(before, Detections) or not isinstance(after, Detections):
        return compare_predictions(before, after, score=score, iou=iou, hysteresis=hysteresis)
    expected = replace(before, boxes=_moved(asked, before.boxes), masks=None)
    events = compare_predictions(expected, after, score=score, iou=iou, hysteresis=hysteresis)
    if isinstance(asked.recipe, Identity):
        return events
    if known is not None:
        truths = known.annotations
        moved = replace(truths, boxes=_moved(asked, truths.boxes), masks=None)
        known = replace(known, annotations=moved)
    events = with_truth(events, expected, after, known, score=score, iou=iou)
    return tuple(_in_scene(event, before) for event in events)


def _moved(asked: Asked, boxes: Boxes) -> Boxes:
    return asked.recipe.moved_boxes(boxes, asked.scene.size)


def _in_scene(event: Event, before: Detections) -> Event:
    if event.before is None:
        return event
    x1, y1, x2, y2 = before.boxes[event.before].tolist()
    return replace(event, box=(x1, y1, x2, y2))
