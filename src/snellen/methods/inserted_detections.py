"""Which detections belong to the inserted object, and the events beside it."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from snellen.methods.free_places import Box
from snellen.vision.arrays import Bools, Boxes, Ints
from snellen.vision.boxes.box_coverage import MOST, merged_boxes
from snellen.vision.boxes.box_geometry import area, iou, overlap
from snellen.vision.detections import Detections
from snellen.vision.events import HYSTERESIS, Event, EventKind, compare_predictions
from snellen.vision.truth.annotated_objects import AnnotatedObjects
from snellen.vision.truth.event_truth import with_truth

OWN_IOU = 0.5
LARGEST = 9.0
"""How many times the inserted rectangle a box around it may be."""


def events_beside(
    before: Detections,
    after: Detections,
    box: Box | None,
    known: AnnotatedObjects | None = None,
    *,
    score: float,
    iou_threshold: float = 0.5,
    hysteresis: float = HYSTERESIS,
) -> tuple[tuple[Event, ...], Bools]:
    """The events of the scene's own objects, with their truth, and the inserted object's boxes.

    box: xyxy of the inserted object. The second is (N,) bool: which detections `after` show the
    inserted object, with any label: its box, a part of it, a larger box around it, or one that
    merges it with neighbours. None of them appeared. If a merged box replaces that of an old
    object, the old object moved there or is lost. None if nothing was inserted: then every change
    counts as it is, whatever its truth, since the same picture must get the same answer.
    """
    options: dict[str, Any] = {"score": score, "iou": iou_threshold, "hysteresis": hysteresis}
    if box is None:
        plain = compare_predictions(before, after, **options)
        return plain, np.zeros(len(after), dtype=bool)
    objects = before.above(score).boxes
    own = inserted_detections(objects, after.boxes, box)
    kept = np.flatnonzero(~own)
    found = compare_predictions(before, after[kept], **options)
    events = [_at(event, kept) for event in found]
    new = np.array([_place(event) for event in events], dtype=np.int64)
    new = new[new >= 0]
    if len(new):
        own[new[shows_inserted(objects, after.boxes[new], box)]] = True
    rest = [event for event in events if event.after is None or not own[event.after]]
    truths = with_truth(rest, before, after, known, score=score, iou=iou_threshold, excluded=own)
    return truths, own


def _place(event: Event) -> int:
    """The index of an object that appeared, -1 for other events."""
    if event.kind != EventKind.APPEARED or event.after is None:
        return -1
    return event.after


def _at(event: Event, places: Ints) -> Event:
    """The event with the index of its object after in the whole answer."""
    return event if event.after is None else replace(event, after=int(places[event.after]))


def inserted_detections(objects: Boxes, boxes: Boxes, box: Box) -> Bools:
    """Which boxes are the inserted object or a part of it and no better match of another: (N,).

    objects: (M, 4) xyxy, the objects before. Those with IoU 0.5 or more with the inserted
    rectangle, and those that lie mostly inside it.
    """
    with_inserted = iou(boxes, box)[:, 0]
    with_old = iou(boxes, objects).max(axis=1, initial=0.0)
    inside = overlap(boxes, box)[:, 0] >= MOST
    return np.asarray(((with_inserted >= OWN_IOU) | inside) & (with_inserted >= with_old))


def shows_inserted(objects: Boxes, boxes: Boxes, box: Box) -> Bools:
    """Which boxes show the inserted object in any way, if they show nothing known before: (N,).

    Also those around it: they cover most of the rectangle and are at most 9 times as large, or
    merge it with objects before, (M, 4) xyxy.
    """
    alike = (iou(boxes, box)[:, 0] >= OWN_IOU) | (overlap(boxes, box)[:, 0] >= MOST)
    covers = overlap(box, boxes)[0] >= MOST
    small = area(boxes) <= LARGEST * area(box)
    known = np.concatenate([np.array([box], dtype=np.float32), objects])
    merges = np.array([merged_boxes(one, known)[0] for one in boxes], dtype=bool)
    return np.asarray(alike | (covers & (small | merges)))
