"""Compiled loops that find steps, such as kerbs, that the rings of a LiDAR cross.

Along a ring, heights are exact to millimetres at any range, while rings are metres apart: a kerb is
found where a ring crosses it, and drawn from ring to ring.
"""

from __future__ import annotations

import math

import numpy as np

from snellen.vision.arrays import F32, Bytes
from snellen.vision.compilation import compiled
from snellen.vision.lidar.drivable_area_kernels import SLOPE, SLOPES

TURN = 2 * math.pi
SAME_RING = 2
STEEP = 0.08
VEER = 0.25


@compiled
def ring_height(fans: F32, column: int, slope: int) -> float:
    """The height of the point of the same ring in another column, NaN if there is none."""
    for off in range(SAME_RING + 1):
        for way in (slope - off, slope + off):
            if 0 <= way < SLOPES and fans[column % len(fans), way] < np.inf:
                return float(fans[column % len(fans), way])
    return np.nan


@compiled
def step_points(fans: F32, base: float, step: float) -> Bytes:
    """Whether each point (columns, SLOPES) lies on a step that its ring crosses.

    Its neighbours on the ring, `base` metres or a column's width apart, differ by more than `step`
    in height, and by more than the slope there explains.
    """
    columns = len(fans)
    found = np.zeros(fans.shape, dtype=np.uint8)
    for column in range(columns):
        for slope in range(1, SLOPES):
            if fans[column, slope] == np.inf:
                continue
            width = TURN / columns * -fans[column, slope] / ((slope + 0.5) * SLOPE)
            wide = max(1, round(base / 2 / width))
            rise = abs(
                ring_height(fans, column + wide, slope) - ring_height(fans, column - wide, slope)
            )
            least = max(step, STEEP * 2 * wide * width)
            if not rise > least:
                continue
            far = ring_height(fans, column + 3 * wide, slope) - ring_height(
                fans, column - 3 * wide, slope
            )
            found[column, slope] = not (rise < 2 * least and rise < abs(far) / 2)
    return found


@compiled
def place_of(fans: F32, column: int, slope: int) -> tuple[float, float]:
    """The x and y in metres of a point of a fan."""
    run = -fans[column, slope] / ((slope + 0.5) * SLOPE)
    turn = ((column + 0.5) / len(fans) - 0.5) * TURN
    return run * math.cos(turn), run * math.sin(turn)


@compiled
def continuation(
    fans: F32, found: Bytes, column: int, slope: int, spacing: float
) -> tuple[float, float]:
    """The x and y to which a step continues: the step on the next ring most nearly straight ahead.

    Without one, straight on to the next ring. Straight is along the x axis, away from the LiDAR.
    """
    columns = len(fans)
    x, y = place_of(fans, column, slope)
    run = math.hypot(x, y)
    gap = spacing * run * run
    to_x, to_y = x + math.copysign(gap, x), y
    middle = int((math.atan2(to_y, to_x) / TURN + 0.5) * columns)
    aside = int(VEER * gap / (run + gap) * columns / TURN) + 1
    ring = max(1, round(spacing * -fans[column, slope] / SLOPE))
    best = np.inf
    for other in range(max(slope - 2 * ring, 1), slope - ring // 2):
        for near in range(middle - aside, middle + aside + 1):
            if found[near % columns, other]:
                far_x, far_y = place_of(fans, near % columns, other)
                if abs(far_y - y) < best:
                    best, to_x, to_y = abs(far_y - y), far_x, far_y
    return to_x, to_y


@compiled
def linked_cells(fans: F32, found: Bytes, cell: float, bins: int, spacing: float) -> Bytes:
    """The cells (2 bins, 2 bins) [x, y] of the steps, connected from ring to ring."""
    grid = np.zeros((2 * bins, 2 * bins), dtype=np.uint8)
    for column in range(len(fans)):
        for slope in range(1, SLOPES):
            if found[column, slope]:
                x, y = place_of(fans, column, slope)
                to_x, to_y = continuation(fans, found, column, slope, spacing)
                count = int(max(abs(to_x - x), abs(to_y - y)) / cell * 1.5) + 1
                for k in range(count + 1):
                    row = math.floor((x + (to_x - x) * k / count) / cell) + bins
                    across = math.floor((y + (to_y - y) * k / count) / cell) + bins
                    if 0 <= row < 2 * bins and 0 <= across < 2 * bins:
                        grid[row, across] = 1
    return grid
