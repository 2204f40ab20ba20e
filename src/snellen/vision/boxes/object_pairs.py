"""Which objects of two answers about one scene are the same, one to one."""

from __future__ import annotations

import numpy as np

from snellen.vision.arrays import F64, Bools
from snellen.vision.boxes.matching import HIGHEST
from snellen.vision.detections import Detections

UNCHANGED = 0.85
"""The IoU from which on two boxes that overlap each other most are the same object."""
TIE = 1e-7
"""The weight of scores among equal IoUs."""


def object_pairs(
    ious: F64, before: Detections, after: Detections, *, iou: float, class_aware: bool = True
) -> list[tuple[int, int]]:
    """Pairs (before, after) with at least `iou`, by rising index before; symmetric in the sides.

    ious: (N, M). class_aware: only objects of one label are paired. Boxes that hardly changed are
    paired first, so that a second box on an object can't take its partner; of the rest, as many as
    possible, then those with the largest total IoU, then those with the best scores.
    """
    near = ious >= min(iou, HIGHEST)
    if class_aware:
        near &= before.labels[:, None] == after.labels
    if (near.sum(axis=0) > 1).any() or (near.sum(axis=1) > 1).any():
        near = _disentangled(ious, near, before, after)
    return [(i, j) for i, j in np.argwhere(near).tolist()]


def _disentangled(ious: F64, near: Bools, before: Detections, after: Detections) -> Bools:
    """(N, M) the pairs where an object has several possible partners in `near`."""
    same = _unchanged(np.where(near, ious, 0.0))
    free = np.asarray(near & ~same.any(axis=1, keepdims=True) & ~same.any(axis=0))
    likeness = np.sqrt(np.outer(before.scores, after.scores))
    worth = np.where(free, sum(ious.shape) + ious.round(9) + TIE * likeness, 0.0)
    if _precedes(before, after):
        chosen = _assigned(worth)
    else:
        chosen = _assigned(np.ascontiguousarray(worth.T)).T
    return np.asarray(same | (chosen & free))


def _unchanged(ious: F64) -> Bools:
    """(N, M) pairs of at least 0.85 in which each is the other's only best partner."""
    best = (ious == ious.max(axis=1, keepdims=True)) & (ious == ious.max(axis=0))
    alone = (best.sum(axis=1, keepdims=True) == 1) & (best.sum(axis=0) == 1)
    return np.asarray(best & alone & (ious >= UNCHANGED))


def _assigned(worth: F64) -> Bools:
    """(N, M) the assignment with the largest total worth."""
    from scipy.optimize import linear_sum_assignment

    chosen = np.zeros(worth.shape, dtype=bool)
    chosen[linear_sum_assignment(worth, maximize=True)] = True
    return chosen


def _precedes(one: Detections, other: Detections) -> bool:
    """Whether the first of two predictions precedes the second by content."""
    fields = ("scores", "labels", "boxes")
    return [getattr(one, name).tobytes() for name in fields] <= [
        getattr(other, name).tobytes() for name in fields
    ]
