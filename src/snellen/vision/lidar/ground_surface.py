"""The height of the ground around the LiDAR."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from snellen.vision.arrays import F64, Bools, Floating
from snellen.vision.compilation import read_only
from snellen.vision.lidar.ground import SENSOR_HEIGHT

CELL = 0.5
CELLS = 320
LEVELS = 6
TRUST = 0.25
STRAY = 0.35
AROUND = 7


@dataclass(frozen=True, eq=False)
class GroundSurface:
    """The height of the ground as a function: z = surface(x, y), metres, LiDAR frame.

    heights: (320, 320) z at the centres of cells of 0.5 m, [x, y], from -80 m to 80 m on each axis.
    Beyond that the height of the border is used.
    """

    heights: F64

    def __call__(self, x: Any, y: Any) -> F64:
        """The z of the ground at x and y, in their common shape; linear between cell centres."""
        rows, columns = _places(x), _places(y)
        row = np.minimum(rows.astype(int), CELLS - 2)
        column = np.minimum(columns.astype(int), CELLS - 2)
        down, along = rows - row, columns - column
        grid = self.heights
        near = grid[row, column] * (1 - along) + grid[row, column + 1] * along
        far = grid[row + 1, column] * (1 - along) + grid[row + 1, column + 1] * along
        return np.asarray(near * (1 - down) + far * down)


def ground_height(
    points: Floating,
    mask: Bools,
    default: float = -SENSOR_HEIGHT,
) -> GroundSurface:
    """The ground surface through the points (N, 3 or more) that the mask (N,) selects.

    The height of a cell is the mean of its points, or, between two rings, interpolated linearly;
    elsewhere it comes from larger and larger cells around it, so that there are no holes. Points
    well above or below the ground around them are left out. Without points the ground is level at
    `default`.

    >>> slope = np.array([[x, y, x / 10] for x in range(-20, 20) for y in range(-20, 20)])
    >>> ground_height(slope, np.full(1600, True))([5, 10], 3.2).round(1).tolist()
    [0.5, 1.0]
    """
    from snellen.vision.lidar.ground_surface_kernels import (
        cell_sums,
        drop_reflections,
        sums_with_lines,
    )

    cloud = read_only(np.asarray(points, dtype=np.float32))
    sums, counts = cell_sums(cloud, mask, CELLS, CELL)
    if not counts.any():
        return GroundSurface(np.full((CELLS, CELLS), default))
    drop_reflections(sums, counts, CELL)
    ceiling = np.where(counts > 0, _ceiling(_filled(sums, counts, LEVELS)), -np.inf)
    sums, counts = sums_with_lines(cloud, mask, ceiling, CELL)
    return GroundSurface(_filled(sums, counts, LEVELS))


def _places(metres: Any) -> F64:
    """Positions in cells from the centre of the first, clipped to the grid."""
    cells = np.asarray(metres, dtype=np.float64) / CELL + (CELLS - 1) / 2
    return np.asarray(np.clip(cells, 0, CELLS - 1))


def _ceiling(heights: F64) -> F64:
    """The z above which a point is not ground: a kerb and a steep slope above the lowest around."""
    import cv2

    return np.asarray(cv2.erode(heights, np.ones((AROUND, AROUND))) + STRAY, dtype=np.float64)


def _filled(sums: F64, counts: F64, levels: int) -> F64:
    """The mean of every cell, with that of its surroundings weighted as a quarter of a point."""
    from snellen.vision.lidar.ground_surface_kernels import blended, downsampled

    if levels == 0:
        return np.asarray((sums + TRUST * sums.sum() / counts.sum()) / (counts + TRUST))
    around = _filled(downsampled(sums), downsampled(counts), levels - 1)
    return blended(sums, counts, around, TRUST)
