"""Outcomes of 3D objects inserted into a frame: found, relabelled, misplaced or missed."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from snellen.vision.arrays import F64, Bools, Boxes, Boxes3D, Ints, Labels
from snellen.vision.boxes.box_geometry import area
from snellen.vision.boxes.box_geometry import iou as box_iou
from snellen.vision.boxes.matching import match_overlaps
from snellen.vision.detections import Detections
from snellen.vision.detections3d import Detections3D
from snellen.vision.events import HYSTERESIS, Event, EventKind, graded_margin
from snellen.vision.object_events import HARD_MOVE, TOUCHING, best_candidate, objects_of
from snellen.vision.solids.overlap3d import overlap3d

ANY_LABEL = -1
"""The label of an inserted object that is not a class of the subject: any label is correct."""


@dataclass(frozen=True, eq=False)
class InsertedSolids:
    """J objects inserted into a frame.

    boxes: (J, 7) in the LiDAR frame. labels: (J,) ids of the subject's classes, or -1 for any.
    image_boxes: (J, 4) xyxy pixels, a row of zeros if not visible in the image.
    """

    boxes: Boxes3D
    labels: Labels
    image_boxes: Boxes

    def __post_init__(self) -> None:
        boxes = np.array(self.boxes, dtype=np.float64).reshape(-1, 7)
        labels = np.array(self.labels, dtype=np.int64).reshape(-1)
        image_boxes = np.array(self.image_boxes, dtype=np.float32).reshape(-1, 4)
        if not len(boxes) == len(labels) == len(image_boxes):
            raise ValueError(
                f"each inserted object has a box, a label and an image box; found {len(boxes)} "
                f"boxes, {len(labels)} labels, {len(image_boxes)} image boxes"
            )
        for name, value in zip(
            ("boxes", "labels", "image_boxes"), (boxes, labels, image_boxes), strict=True
        ):
            object.__setattr__(self, name, value)

    @classmethod
    def empty(cls) -> InsertedSolids:
        """No inserted objects."""
        none: F64 = np.zeros(0)
        return cls(none, none, none)  # type: ignore[arg-type]

    def __len__(self) -> int:
        return len(self.boxes)


def missed_insertion(
    detections: Detections3D,
    inserted: InsertedSolids,
    *,
    score: float,
    iou: float = 0.5,
    image_iou: float | None = 0.5,
    hysteresis: float = HYSTERESIS,
    taken: Bools | None = None,
) -> tuple[Event, ...]:
    """An `inserted-missed` event for each inserted object not found: first in 3D, then in 2D.

    An object is found if a detection of its label with at least `score` has an IoU of at least
    `iou` with it (`image_iou` in the image; None skips the image). One detection finds one object.
    taken: (N,) bool, detections that belong to other objects. Objects that are too occluded to be
    required must be left out by the caller.

    If a detection of another label is there, the event has `new_label`, and the margin is its score
    minus the best of the correct label. If a detection of any label has an IoU of at least 0.1 but
    below `iou`, the event has its index in `after`, and the margin is `iou` minus its IoU, hard
    from 0.1 on. Otherwise the margin is `score` minus that of the best candidate, hard from
    `hysteresis` on, or without any candidate. Events in 3D have `solid`, those in the image do not.

    >>> car = InsertedSolids([[10, 0, -0.9, 4, 1.7, 1.5, 0]], [0], [[500, 150, 700, 250]])
    >>> [event.kind.value for event in missed_insertion(Detections3D.empty(), car, score=0.5)]
    ['inserted-missed', 'inserted-missed']
    """
    busy = np.zeros(len(detections), bool) if taken is None else np.asarray(taken, dtype=bool)
    view = _View(detections.in_image, score, hysteresis, busy)
    volumes = np.prod(detections.boxes[:, 3:6], axis=1)
    ious = overlap3d(detections.boxes, inserted.boxes)
    shown = area(inserted.image_boxes) > 0
    solid = view.missed(ious, objects_of(detections, score, volumes), inserted.labels, iou)
    events = [
        _with_boxes(event, inserted, k, shown[k], solid=True)
        for k, event in enumerate(solid)
        if event
    ]
    if image_iou is not None:
        ious = box_iou(detections.image_boxes, inserted.image_boxes).astype(np.float64)
        objects = objects_of(detections.in_image, score, area(detections.image_boxes))
        flat = view.missed(ious, objects, inserted.labels, image_iou)
        events += [
            _with_boxes(event, inserted, k, True, solid=False)
            for k, event in enumerate(flat)
            if event and shown[k]
        ]
    return tuple(events)


def insertion_matches(
    labels: Labels,
    detections: Detections,
    ious: F64,
    objects: Ints,
    *,
    iou: float,
    excluded: Bools,
    exact_only: Bools | None = None,
) -> Ints:
    """(J,) the detection of each inserted object, or -1.

    labels: (J,) of the inserted objects. ious: (N, J). First those of the correct label with at
    least `iou`, then of any label, then of the correct label with at least 0.1, then of any label:
    a detection on an inserted object is a poor detection of it, not a phantom. excluded: (N,) bool,
    detections that never match; exact_only: (N,) those that match only in the first step.
    """
    found = np.full(len(labels), -1, dtype=np.int64)
    fits = (detections.labels[:, None] == labels) | (labels == ANY_LABEL)
    barred = excluded | (False if exact_only is None else exact_only)
    least, every = min(TOUCHING, iou), np.ones_like(fits)
    stages = (
        (fits, iou, excluded),
        (every, iou, barred),
        (fits, least, barred),
        (every, least, barred),
    )
    for allowed, overlap, out in stages:
        open_rows = ~out
        open_rows[found[found >= 0]] = False
        rows = objects[open_rows[objects]]
        table = np.where(allowed & (found < 0), ious, 0.0)[rows]
        places = Detections(np.zeros((len(labels), 4), np.float32), labels, np.zeros(len(labels)))  # type: ignore[arg-type]
        for row, k in match_overlaps(
            table, detections[rows], places, iou=overlap, class_aware=False
        ).pairs:
            found[k] = rows[row]
    return found


@dataclass(frozen=True, eq=False)
class _View:
    """The detections of one frame, by 3D boxes or image boxes."""

    detections: Detections
    score: float
    hysteresis: float
    taken: Bools

    def missed(self, ious: F64, objects: Ints, labels: Labels, iou: float) -> list[Event | None]:
        """The event of each inserted object, None if it was found."""
        found = insertion_matches(
            labels, self.detections, ious, objects, iou=iou, excluded=self.taken
        )
        return [
            self._event(int(label), int(found[k]), ious[:, k], objects, iou)
            for k, label in enumerate(labels)
        ]

    def _event(self, label: int, row: int, ious: F64, objects: Ints, iou: float) -> Event | None:
        rest, overlap = best_candidate(self.detections, objects, label, ious, iou)
        if row < 0:
            grade = graded_margin(self.score - rest, min(self.hysteresis, self.score))
            return Event(
                EventKind.INSERTED_MISSED, label, None, None, *grade, iou=overlap, score_after=rest
            )
        score, there = float(self.detections.scores[row]), float(ious[row])
        wrong = label not in (ANY_LABEL, self.detections.labels[row])
        became = int(self.detections.labels[row]) if wrong else None
        if there < iou:
            grade = graded_margin(iou - there, HARD_MOVE)
        elif wrong:
            grade = graded_margin(score - rest, self.hysteresis)
        else:
            return None
        return Event(
            EventKind.INSERTED_MISSED,
            label,
            None,
            row,
            *grade,
            iou=there,
            score_after=score,
            new_label=became,
        )


def _with_boxes(
    event: Event, inserted: InsertedSolids, k: int, shown: bool, *, solid: bool
) -> Event:
    x1, y1, x2, y2 = inserted.image_boxes[k].tolist()
    return replace(
        event,
        box=(x1, y1, x2, y2) if shown else None,
        solid=tuple(inserted.boxes[k].tolist()) if solid else None,
    )
