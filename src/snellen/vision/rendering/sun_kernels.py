"""Compiled loops that ask where the sun would have to stand for the shadows that are seen."""

from __future__ import annotations

from typing import Any

import numpy as np

from snellen.vision.compiled import compiled

Array = Any


@compiled
def tops(points: Array, floor: Array, cell: float, cut: float, taller: float) -> Array:
    """(n, n) height above the ground of what stands in each cell around the LiDAR, 0 for nothing.

    points: (N, 3), of things that stand, floor: (N,) the ground's z below each. What the LiDAR sees
    at an angle (its tangent) above cut goes on above its view, by `taller` metres.
    """
    count = 200
    heights = np.zeros((count, count))
    for i in range(len(points)):
        x, y, z = points[i, 0], points[i, 1], points[i, 2]
        row = int(np.floor(x / cell)) + count // 2
        column = int(np.floor(y / cell)) + count // 2
        if 0 <= row < count and 0 <= column < count:
            more = taller if z > cut * np.sqrt(x * x + y * y) else 0.0
            heights[row, column] = max(heights[row, column], z - floor[i] + more)
    return heights


@compiled
def needed_rises(heights: Array, places: Array, towards: Array, steps: Array, cell: float) -> Array:
    """(A, G) tangent of the elevation above which a sun in direction A shines on place G.

    heights: (n, n) of what stands around the LiDAR. places: (G, 2) on the ground; towards: (A, 2)
    unit; steps: (K,) metres from a place at which what stands in the way is asked.
    """
    count = len(heights)
    rises = np.zeros((len(towards), len(places)))
    for a in range(len(towards)):
        for i in range(len(places)):
            for k in range(len(steps)):
                row = int(np.floor((places[i, 0] + steps[k] * towards[a, 0]) / cell)) + count // 2
                column = (
                    int(np.floor((places[i, 1] + steps[k] * towards[a, 1]) / cell)) + count // 2
                )
                if 0 <= row < count and 0 <= column < count:
                    rises[a, i] = max(rises[a, i], heights[row, column] / steps[k])
    return rises
