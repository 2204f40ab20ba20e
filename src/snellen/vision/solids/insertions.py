"""What became of 3D objects that were put into a frame: found, taken for something else, missed."""

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
"""The label of an inserted object that is no class of the subject: any label is right for it."""


@dataclass(frozen=True, eq=False)
class InsertedSolids:
    """J objects that were put into a frame.

    boxes: (J, 7) in the LiDAR frame. labels: (J,) ids of the subject's classes, or -1 for any.
    image_boxes: (J, 4) xyxy pixels, a row of zeros where the image does not show it.
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
                f"an inserted object has a box, a label and an image box; found {len(boxes)} "
                f"boxes, {len(labels)} labels, {len(image_boxes)} image boxes"
            )
        for name, value in zip(
            ("boxes", "labels", "image_boxes"), (boxes, labels, image_boxes), strict=True
        ):
            object.__setattr__(self, name, value)

    @classmethod
    def nothing(cls) -> InsertedSolids:
        """Nothing was put in."""
        none: F64 = np.zeros(0)
        return cls(none, none, none)  # type: ignore[arg-type]

    def __len__(self) -> int:
        return len(self.boxes)


def missed_insertion(
    after: Detections3D,
    inserted: InsertedSolids,
    *,
    score: float,
    iou: float = 0.5,
    image_iou: float | None = 0.5,
    hysteresis: float = HYSTERESIS,
    taken: Bools | None = None,
) -> tuple[Event, ...]:
    """An `inserted-missed` for each inserted object that was not found: first in 3D, then in 2D.

    It is found if a detection of its label with at least `score` overlaps it by `iou` (by
    `image_iou` in the image; None: the image is not asked). One detection finds one object.
    taken: (N,) bool, detections known to be of something else. Objects too hidden to be asked for
    must be left out by the caller.

    An event for a detection of another label there has `new_label`, and the margin is that
    detection's score less the best of the right label. One for a detection that overlaps by 0.1
    but not enough has its index in `after`, of whatever label, and the margin is `iou` less the IoU
    found, hard from 0.1 on. Otherwise the margin is `score` less the best candidate's, hard from
    `hysteresis` on, or if there is no candidate at all. Events in 3D have `solid`, those in the
    image do not.

    >>> car = InsertedSolids([[10, 0, -0.9, 4, 1.7, 1.5, 0]], [0], [[500, 150, 700, 250]])
    >>> [event.kind.value for event in missed_insertion(Detections3D.empty(), car, score=0.5)]
    ['inserted-missed', 'inserted-missed']
    """
    busy = np.zeros(len(after), bool) if taken is None else np.asarray(taken, dtype=bool)
    view = _View(after.in_image, score, hysteresis, busy)
    volumes = np.prod(after.boxes[:, 3:6], axis=1)
    ious = overlap3d(after.boxes, inserted.boxes)
    shown = area(inserted.image_boxes) > 0
    solid = view.missed(ious, objects_of(after, score, volumes), inserted.labels, iou)
    events = [
        _told(event, inserted, k, shown[k], solid=True) for k, event in enumerate(solid) if event
    ]
    if image_iou is not None:
        ious = box_iou(after.image_boxes, inserted.image_boxes).astype(np.float64)
        objects = objects_of(after.in_image, score, area(after.image_boxes))
        flat = view.missed(ious, objects, inserted.labels, image_iou)
        events += [
            _told(event, inserted, k, True, solid=False)
            for k, event in enumerate(flat)
            if event and shown[k]
        ]
    return tuple(events)


def claims(
    labels: Labels,
    detections: Detections,
    ious: F64,
    objects: Ints,
    *,
    iou: float,
    never: Bools,
    reluctant: Bools | None = None,
) -> Ints:
    """(J,) the detection that is each inserted object, or -1.

    labels: (J,) of the inserted objects. ious: (N, J). First those of the right label that overlap
    by `iou`, then of any label, then of the right label that overlap by 0.1, then of any: what
    stands on an inserted object is a poor answer about it and no phantom. never: (N,) bool,
    detections that cannot be one; reluctant: (N,) that can only in the first way.
    """
    found = np.full(len(labels), -1, dtype=np.int64)
    fits = (detections.labels[:, None] == labels) | (labels == ANY_LABEL)
    barred = never | (False if reluctant is None else reluctant)
    least, every = min(TOUCHING, iou), np.ones_like(fits)
    stages = (
        (fits, iou, never),
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
    """The detections of one frame, by boxes in space or in the image."""

    detections: Detections
    score: float
    hysteresis: float
    taken: Bools

    def missed(self, ious: F64, objects: Ints, labels: Labels, iou: float) -> list[Event | None]:
        """What is wrong with each inserted object, None where it was found."""
        found = claims(labels, self.detections, ious, objects, iou=iou, never=self.taken)
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


def _told(event: Event, inserted: InsertedSolids, k: int, shown: bool, *, solid: bool) -> Event:
    x1, y1, x2, y2 = inserted.image_boxes[k].tolist()
    return replace(
        event,
        box=(x1, y1, x2, y2) if shown else None,
        solid=tuple(inserted.boxes[k].tolist()) if solid else None,
    )
