"""Ranges and bearings of 3D boxes, and free places beside them."""

from __future__ import annotations

import numpy as np

from snellen.vision.arrays import F64, Boxes3D
from snellen.vision.solids.boxes3d import corners, wrapped


def ranges(boxes: Boxes3D) -> F64:
    """(N,) horizontal distance in metres from the LiDAR to each box's centre."""
    return np.hypot(boxes[:, 0], boxes[:, 1])


def bearings(boxes: Boxes3D) -> tuple[F64, F64]:
    """(N,) radians each: the first and last bearing of each box from the LiDAR, counter-clockwise.

    >>> first, last = bearings(np.array([[10, 0, 0, 2, 2, 1, 0.0]]))
    >>> np.degrees([first[0], last[0]]).round(1).tolist()
    [-6.3, 6.3]
    """
    middles = np.arctan2(boxes[:, 1], boxes[:, 0])
    flat = corners(boxes)[:, :4]
    turns = wrapped(np.arctan2(flat[..., 1], flat[..., 0]) - middles[:, None])
    return middles + turns.min(axis=1), middles + turns.max(axis=1)


def moved_along(boxes: Boxes3D, metres: F64) -> Boxes3D:
    """The boxes, each moved forward along its heading."""
    moved = boxes.copy()
    moved[:, 0] += metres * np.cos(boxes[:, 6])
    moved[:, 1] += metres * np.sin(boxes[:, 6])
    return moved


def beside(box: F64, taken: Boxes3D, gap: float) -> F64:
    """A box like `box`, (7,), `gap` metres to its left or right, ahead of or behind it.

    taken: (N, 7) boxes to avoid; the result is the first of the four places without overlap, or the
    one with most room.
    """
    length, width, yaw = box[3], box[4], box[6]
    steps = [(0.0, width + gap), (0.0, -width - gap), (length + gap, 0.0), (-length - gap, 0.0)]
    places = np.repeat(box[None], len(steps), axis=0)
    for place, (along, across) in zip(places, steps, strict=True):
        place[0] += along * np.cos(yaw) - across * np.sin(yaw)
        place[1] += along * np.sin(yaw) + across * np.cos(yaw)
    others = taken[np.hypot(*(taken[:, :2] - box[:2]).T) > 0]
    if not len(others):
        return np.asarray(places[0])
    reach = np.hypot(others[:, 3], others[:, 4]) / 2 + np.hypot(length, width) / 2
    distances = np.hypot(*(places[:, None, :2] - others[None, :, :2]).transpose(2, 0, 1)) - reach
    room = distances.min(axis=1)
    best = int(np.argmax(room > 0)) if (room > 0).any() else int(np.argmax(room))
    return np.asarray(places[best])
