"""The events of a case whose recipe may move what is in the scene."""

from __future__ import annotations

from dataclasses import replace

from snellen.contract.asked import Asked
from snellen.vision.detections import Detections
from snellen.vision.events import HYSTERESIS, Event, compare_predictions


def case_events(
    asked: Asked, *, score: float, iou: float = 0.5, hysteresis: float = HYSTERESIS
) -> tuple[Event, ...]:
    """The events between what is expected of a case and the answer about it; () if they agree.

    Expected is the answer about the unchanged scene, each box where `Recipe.moved_boxes` puts it.
    The boxes of events that strike an object of the scene stay in the pixels of the scene. score,
    iou, hysteresis: as of `compare_predictions`.
    """
    assert asked.before is not None
    before, after = asked.before.prediction, asked.after.prediction
    expected = before
    if isinstance(before, Detections):
        moved = asked.recipe.moved_boxes(before.boxes, asked.scene.size)
        expected = replace(before, boxes=moved, masks=None)
    events = compare_predictions(expected, after, score=score, iou=iou, hysteresis=hysteresis)
    if not isinstance(before, Detections):
        return events
    return tuple(_in_scene(event, before) for event in events)


def _in_scene(event: Event, before: Detections) -> Event:
    if event.before is None:
        return event
    x1, y1, x2, y2 = before.boxes[event.before].tolist()
    return replace(event, box=(x1, y1, x2, y2))
