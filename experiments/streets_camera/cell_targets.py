"""The training targets of the network's cells."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from experiments.streets_camera.architecture import KINDS, STRIDES, cells
from experiments.streets_camera.training_pictures import TrainingPicture

LEVELS = (40.0, 90.0)
"""Least side in pixels of objects assigned to the second and the third level."""
SEEN, SMALLEST = 0.35, 6.0
"""Objects less visible, or smaller in pixels, are ignored."""


class CellTargets(NamedTuple):
    """kinds: (A, K) 0 or 1. boxes: (A, 4) xyxy. there: (A,) cells assigned to an object.
    open: (A,) ignored cells.
    """

    kinds: npt.NDArray[np.float32]
    boxes: npt.NDArray[np.float32]
    there: npt.NDArray[np.bool_]
    open: npt.NDArray[np.bool_]


def cell_targets(one: TrainingPicture) -> CellTargets:
    """Targets that assign cells near an object's centre to it, on the level of its size."""
    x, y, stride = cells().T
    count = len(x)
    kinds, boxes = np.zeros((count, len(KINDS)), np.float32), np.zeros((count, 4), np.float32)
    there, free = np.zeros(count, dtype=bool), np.zeros(count, dtype=bool)
    sides = np.sqrt((one.boxes[:, 2] - one.boxes[:, 0]) * (one.boxes[:, 3] - one.boxes[:, 1]))
    for k in np.argsort(-sides):
        x1, y1, x2, y2 = one.boxes[k]
        step = STRIDES[int(np.searchsorted(LEVELS, sides[k]))]
        aside = np.abs(x - (x1 + x2) / 2) < max(0.75 * step, 0.18 * (x2 - x1))
        above = np.abs(y - (y1 + y2) / 2) < max(0.75 * step, 0.18 * (y2 - y1))
        near = (stride == step) & aside & above
        free |= (x > x1) & (x < x2) & (y > y1) & (y < y2)
        if one.seen[k] < SEEN or sides[k] < SMALLEST:
            free |= near
            continue
        there |= near
        kinds[near], boxes[near] = np.eye(len(KINDS))[one.kinds[k]], one.boxes[k]
    return CellTargets(kinds, boxes, there, free & ~there)
