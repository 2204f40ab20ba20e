"""Compiled loops that find the ground around the LiDAR that is visible without gaps.

They work in columns: sectors of azimuth around the LiDAR, divided into bins by range. A bin is as
long as a cell of the flat grid.
"""

from __future__ import annotations

import math

import numpy as np

from snellen.vision.arrays import F32, F64, Bools, Bytes
from snellen.vision.compilation import compiled

TURN = 2 * math.pi
TALLEST, DEEPEST = 3.0, 0.3
NEAR, FAR, ENOUGH = 8.0, 30.0, 100
USUAL_SPACING = 0.0041
SLACK, LEAP = 0.6, 2.6
SLOPE, SLOPES = 0.00175, 288
LEVEL = 0.2


@compiled
def binned_points(
    points: F32,
    mask: Bools,
    surface: F64,
    surface_cell: float,
    columns: int,
    bins: int,
    cell: float,
    step: float,
    least: float,
) -> tuple[F32, Bytes, F32, F32]:
    """Ground heights and obstacles in columns, fans of ground points, and obstacles in the grid.

    surface: (S, S) z of the ground. Points with x below `least` are left out. Heights (columns,
    bins) are NaN without a ground point; obstacles are 1 if a point lies between `step` and a
    lorry's height above the ground. Fans (columns, SLOPES) are the z of the lowest ground point by
    its slope seen from the LiDAR, so that a ring stays at the same index from column to column;
    inf without points. The grid (2 bins, 2 bins) [x, y] has the height above ground of the lowest
    point more than `step` above it, inf without points.
    """
    sums = np.zeros((columns, bins), dtype=np.float32)
    counts = np.zeros((columns, bins), dtype=np.float32)
    obstacles = np.zeros((columns, bins), dtype=np.uint8)
    fans = np.full((columns, SLOPES), np.float32(np.inf))
    lowest = np.full((2 * bins, 2 * bins), np.float32(np.inf))
    middle, reach = len(surface) // 2, bins * cell
    for i in range(len(points)):
        x, y, z = float(points[i, 0]), float(points[i, 1]), float(points[i, 2])
        run = math.sqrt(x * x + y * y)
        if run >= reach or x < least:
            continue
        row = math.floor(x / surface_cell) + middle
        above = z - surface[row, math.floor(y / surface_cell) + middle]
        if above > step:
            row, across = math.floor(x / cell) + bins, math.floor(y / cell) + bins
            lowest[row, across] = min(lowest[row, across], above)
        if not -DEEPEST < above <= TALLEST or (above <= step and not mask[i]):
            continue
        column, place = int((math.atan2(y, x) / TURN + 0.5) * columns) % columns, int(run / cell)
        if above > step:
            obstacles[column, place] = 1
            continue
        sums[column, place] += z
        counts[column, place] += 1.0
        slope = int(-z / (run * SLOPE)) if z < 0 else SLOPES
        if slope < SLOPES:
            fans[column, slope] = min(fans[column, slope], z)
    for column in range(columns):
        for place in range(bins):
            sums[column, place] /= counts[column, place]
    return sums, obstacles, fans, lowest


def ring_spacing(heights: F32, cell: float) -> float:
    """The median difference of 1 / range, in 1/m, between adjacent ground points of a column.

    On level ground it is the angle between rings divided by the height of the LiDAR, at any range.
    """
    found = _spacings(heights, cell)
    return float(np.median(found)) if len(found) > ENOUGH else USUAL_SPACING


@compiled
def _spacings(heights: F32, cell: float) -> F64:
    """(K,) the differences of 1 / range between adjacent ground points of all columns."""
    found = []
    for column in range(heights.shape[0]):
        last = -1
        for place in range(int(NEAR / cell), int(FAR / cell)):
            if np.isnan(heights[column, place]):
                continue
            if last >= 0 and place > last + 1:
                found.append(1 / ((last + 0.5) * cell) - 1 / ((place + 0.5) * cell))
            last = place
    return np.array(found)


@compiled
def visible_ground(heights: F32, obstacles: Bytes, cell: float, spacing: float) -> Bytes:
    """Whether each bin is visible ground; fills in the heights of bins between points.

    Columns are traversed outwards. Two ground points at most a few rings apart have ground between
    them, with linear heights, if there is no obstacle.
    """
    columns, bins = heights.shape
    visible = np.zeros((columns, bins), dtype=np.uint8)
    for column in range(columns):
        last = -1
        for place in range(bins):
            if obstacles[column, place]:
                last = -1
            elif not np.isnan(heights[column, place]):
                visible[column, place] = 1
                run = (last + 0.5) * cell
                if last >= 0 and (place - last) * cell <= SLACK + LEAP * spacing * run * run:
                    rise = (heights[column, place] - heights[column, last]) / (place - last)
                    for between in range(last + 1, place):
                        visible[column, between] = 1
                        heights[column, between] = heights[column, last] + rise * (between - last)
                last = place
    return visible


@compiled
def ledges(heights: F32, visible: Bytes, half: int, step: float) -> Bytes:
    """Whether each bin lies on a step along its column: `step` metres within `half` bins."""
    columns, bins = heights.shape
    found = np.zeros((columns, bins), dtype=np.uint8)
    for column in range(columns):
        for place in range(half, bins - half):
            if visible[column, place - half] and visible[column, place + half]:
                rise = abs(heights[column, place - half] - heights[column, place + half])
                found[column, place] = rise > step
    return found


@compiled
def blocked(obstacles: Bytes, visible: Bytes, depth: int) -> Bytes:
    """Obstacles (columns, bins), and up to `depth` bins behind each that are not visible."""
    columns, bins = obstacles.shape
    found = obstacles.copy()
    for column in range(columns):
        last = -depth - 1
        for place in range(bins):
            if obstacles[column, place]:
                last = place
            elif visible[column, place]:
                last = -depth - 1
            elif place - last <= depth:
                found[column, place] = 1
    return found


@compiled
def filled_shadows(ground: Bytes, bars: Bytes, heights: F32, cell: float, widest: float) -> Bytes:
    """Ground (columns, bins) with the shadows of objects narrower than `widest` metres filled.

    A shadow is filled if ground of the same height lies on both sides at its range, with nothing
    blocked in between.
    """
    columns, bins = ground.shape
    whole = ground.copy()
    for place in range(bins):
        most = int(widest * columns / (TURN * (place + 0.5) * cell))
        last = -1
        for turned in range(columns + most if most < columns // 4 else 0):
            column = turned % columns
            if bars[column, place]:
                last = -1
            elif ground[column, place]:
                gap = turned - last - 1
                if last >= 0 and 0 < gap <= most:
                    rise = heights[column, place] - heights[last % columns, place]
                    for filled in range(last + 1, turned if abs(rise) < LEVEL else last + 1):
                        whole[filled % columns, place] = 1
                last = turned
    return whole
