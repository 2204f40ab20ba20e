"""How far the boxes of the same objects shifted between two answers."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from snellen.vision.arrays import Bools
from snellen.vision.boxes.box_geometry import area
from snellen.vision.boxes.box_geometry import iou as box_iou
from snellen.vision.detections import Detections
from snellen.vision.events import Event, EventKind
from snellen.vision.object_events import objects_of, same_objects

SHIFT_X, SHIFT_Y, SHIFT_SIZE, SHIFT_IOU = "shift_x", "shift_y", "shift_size", "shift_iou"


def box_shifts(
    before: Detections,
    after: Detections,
    events: Sequence[Event] = (),
    *,
    score: float,
    iou: float = 0.5,
    excluded: Bools | None = None,
) -> dict[str, float]:
    """The mean shift of the boxes of objects found in both answers; {} if there are none.

    `shift_x`, `shift_y`: of the centre to the right and down, as shares of the box's width and
    height before. `shift_size`: natural logarithm of the ratio of side lengths, half that of the
    areas. `shift_iou`: 1 - IoU. events: between the two answers; moved objects are included.
    excluded: (M,) detections after that show nothing of the scene.

    >>> one, other = (Detections([[x, 0, x + 20, 10]], [0], [0.9]) for x in (0, 3))
    >>> box_shifts(one, other, score=0.5)
    {'shift_x': 0.15, 'shift_y': 0.0, 'shift_size': 0.0, 'shift_iou': 0.2609}
    """
    pairs = _pairs(before, after, events, score, iou, excluded)
    if not pairs:
        return {}
    old, new = (
        side.boxes[list(rows)].astype(np.float64)
        for side, rows in zip((before, after), zip(*pairs, strict=True), strict=True)
    )
    sides = old[:, 2:] - old[:, :2]
    moved = ((new[:, :2] + new[:, 2:]) - (old[:, :2] + old[:, 2:])) / 2 / sides
    values = {
        SHIFT_X: moved[:, 0],
        SHIFT_Y: moved[:, 1],
        SHIFT_SIZE: np.log(area(new) / area(old)) / 2,
        SHIFT_IOU: 1 - np.diagonal(box_iou(old, new)),
    }
    return {name: round(float(each.mean()), 4) + 0.0 for name, each in values.items()}


def _pairs(
    before: Detections,
    after: Detections,
    events: Sequence[Event],
    score: float,
    iou: float,
    excluded: Bools | None,
) -> list[tuple[int, int]]:
    old = objects_of(before, score, area(before.boxes))
    new = objects_of(after, score, area(after.boxes))
    new = new if excluded is None else new[~excluded[new]]
    ious = np.asarray(box_iou(before.boxes, after.boxes), dtype=np.float64)
    same = same_objects(before, after, ious, old, new, iou=iou)
    moved = [
        (event.before, event.after)
        for event in events
        if event.kind == EventKind.MOVED and event.before is not None and event.after is not None
    ]
    return [*same, *moved]
