"""How high the ground lies at any place around the LiDAR."""

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
    """The height of the ground, callable with places: z = surface(x, y), metres, LiDAR frame.

    heights: (320, 320) z at the middles of cells of 0.5 m, [x, y], from -80 m to 80 m along either
    axis. Beyond that the height is the border's.
    """

    heights: F64

    def __call__(self, x: Any, y: Any) -> F64:
        """The ground's z at x and y, in their common shape; linear between cells' middles."""
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
    otherwise: float = -SENSOR_HEIGHT,
) -> GroundSurface:
    """The ground through the points (N, 3 or more) that the mask (N,) picks.

    A cell's height is the mean of its points, or between two rings, metres apart far out, on the
    line from one to the next; elsewhere it leans on ever larger cells around it, so that no hole is
    left. Points well above or below the ground around them are left out. Without any point it is
    level at `otherwise`.

    >>> slope = np.array([[x, y, x / 10] for x in range(-20, 20) for y in range(-20, 20)])
    >>> ground_height(slope, np.full(1600, True))([5, 10], 3.2).round(1).tolist()
    [0.5, 1.0]
    """
    from snellen.vision.lidar.ground_surface_kernels import heaped, raised, strung

    cloud = read_only(np.asarray(points, dtype=np.float32))
    sums, counts = heaped(cloud, mask, CELLS, CELL)
    if not counts.any():
        return GroundSurface(np.full((CELLS, CELLS), otherwise))
    raised(sums, counts, CELL)
    ceiling = np.where(counts > 0, _ceiling(_filled(sums, counts, LEVELS)), -np.inf)
    sums, counts = strung(cloud, mask, ceiling, CELL)
    return GroundSurface(_filled(sums, counts, LEVELS))


def _places(metres: Any) -> F64:
    """Places in cells, counted from the middle of the first, kept within the grid."""
    cells = np.asarray(metres, dtype=np.float64) / CELL + (CELLS - 1) / 2
    return np.asarray(np.clip(cells, 0, CELLS - 1))


def _ceiling(heights: F64) -> F64:
    """The z above which a point is no ground: a kerb and a steep slope above the lowest around."""
    import cv2

    return np.asarray(cv2.erode(heights, np.ones((AROUND, AROUND))) + STRAY, dtype=np.float64)


def _filled(sums: F64, counts: F64, levels: int) -> F64:
    """The mean of every cell, with that of its surroundings counted as a quarter of a point."""
    from snellen.vision.lidar.ground_surface_kernels import coarser, leaning

    if levels == 0:
        return np.asarray((sums + TRUST * sums.sum() / counts.sum()) / (counts + TRUST))
    around = _filled(coarser(sums), coarser(counts), levels - 1)
    return leaning(sums, counts, around, TRUST)
