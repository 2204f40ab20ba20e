"""Compiled loop that selects the points of a sweep that project into an image."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from snellen.vision.arrays import AnyArray
from snellen.vision.compilation import compiled
from snellen.vision.lidar.ground_surface_kernels import height_at


@compiled
def in_view(
    points: AnyArray,
    ground: AnyArray,
    surface: AnyArray,
    cell: float,
    matrix: AnyArray,
    shape: tuple[int, int],
    least: float,
) -> Any:
    """The points (N, 3 or more) in the image: u, v, depth and elevation (4, K), places (K, 3), and
    (2, K) whether each lies on the ground, and more than `least` metres above it.

    ground: (N,); surface: (C, C) its z in cells. matrix: (3, 4) from a place to u, v and 1, times
    depth; shape: height and width of the image.
    """
    seen = np.empty((4, len(points)), dtype=np.float32)
    places = np.empty((len(points), 3), dtype=np.float32)
    flags = np.empty((2, len(points)), dtype=np.bool_)
    count = 0
    for i in range(len(points)):
        x, y, z = points[i, 0], points[i, 1], points[i, 2]
        depth = matrix[2, 0] * x + matrix[2, 1] * y + matrix[2, 2] * z + matrix[2, 3]
        if not depth > 0:
            continue
        u = (matrix[0, 0] * x + matrix[0, 1] * y + matrix[0, 2] * z + matrix[0, 3]) / depth
        v = (matrix[1, 0] * x + matrix[1, 1] * y + matrix[1, 2] * z + matrix[1, 3]) / depth
        if not (-0.49 < u < shape[1] - 0.51 and -0.49 < v < shape[0] - 0.51):
            continue
        seen[0, count], seen[1, count], seen[2, count] = u, v, depth
        seen[3, count] = math.atan2(z, np.hypot(x, y))
        places[count, 0], places[count, 1], places[count, 2] = x, y, z
        flags[0, count] = ground[i]
        flags[1, count] = not ground[i] and z - height_at(surface, cell, x, y) > least
        count += 1
    return seen[:, :count].copy(), places[:count].copy(), flags[:, :count].copy()
