"""Compiled loop that selects the points of a sweep that may be ground."""

from __future__ import annotations

import math

import numpy as np

from snellen.vision.arrays import F32, Ints
from snellen.vision.compilation import compiled

BELOW, STEEPLY, FAINT = 0.8, math.radians(-15), 0.2
"""Returns this far below the ground, at this elevation or below and fainter than this are mirror
reflections: the three limits that Patchwork++ uses."""
BESIDE_LIMIT = 1e-3


@compiled
def ground_candidates(
    points: F32, height: float, nearest: float, farthest: float
) -> tuple[Ints, F32]:
    """Rows (K,) of the points (N, 4) that may be ground, and their x, y and z (3, K).

    height: of the LiDAR above the ground. Points outside the horizontal range and reflections are
    left out. Points within a millimetre of a limit of the range are kept for Patchwork++ to decide.
    """
    rows = np.empty(len(points), dtype=np.int64)
    places = np.empty((3, len(points)), dtype=np.float32)
    low, high = (nearest - BESIDE_LIMIT) ** 2, (farthest + BESIDE_LIMIT) ** 2
    count = 0
    for i in range(len(points)):
        x, y, z = points[i, 0], points[i, 1], points[i, 2]
        level = np.float64(x) * x + np.float64(y) * y
        if not low < level < high:
            continue
        low_and_faint = z < -height - BELOW and points[i, 3] < FAINT
        if low_and_faint and math.atan2(np.float64(z), math.sqrt(level)) < STEEPLY:
            continue
        rows[count] = i
        places[0, count], places[1, count], places[2, count] = x, y, z
        count += 1
    kept = np.empty((3, count), dtype=np.float32)
    for axis in range(3):  # assigning arrays takes five times as long to compile
        for i in range(count):
            kept[axis, i] = places[axis, i]
    return rows[:count], kept
