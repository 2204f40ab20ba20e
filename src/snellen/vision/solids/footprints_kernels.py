"""Compiled loops over footprints: rectangles x y length width yaw, metres and radians."""

from __future__ import annotations

import math

import numpy as np

from snellen.vision.arrays import F32, F64, Bools
from snellen.vision.compilation import compiled

TOUCH = 1e-9


@compiled
def separated(a: F64, b: F64) -> bool:
    """Whether a line along a side of `a` separates `a` from `b`."""
    cos, sin = math.cos(a[4]), math.sin(a[4])
    away_x, away_y = b[0] - a[0], b[1] - a[1]
    turn_cos, turn_sin = abs(math.cos(b[4] - a[4])), abs(math.sin(b[4] - a[4]))
    along = a[2] / 2 + (b[2] * turn_cos + b[3] * turn_sin) / 2
    across = a[3] / 2 + (b[2] * turn_sin + b[3] * turn_cos) / 2
    return bool(
        abs(away_x * cos + away_y * sin) >= along - TOUCH
        or abs(away_y * cos - away_x * sin) >= across - TOUCH
    )


@compiled
def overlaps(a: F64, b: F64) -> Bools:
    """(N, M) whether footprints share more than their border."""
    found = np.zeros((len(a), len(b)), dtype=np.bool_)
    for i in range(len(a)):
        for j in range(len(b)):
            reach = math.hypot(a[i, 2], a[i, 3]) + math.hypot(b[j, 2], b[j, 3])
            if math.hypot(a[i, 0] - b[j, 0], a[i, 1] - b[j, 1]) < reach / 2:
                found[i, j] = not (separated(a[i], b[j]) or separated(b[j], a[i]))
    return found


@compiled
def crossings(targets: F64, blocks: F64) -> Bools:
    """(N, M) whether the line from the origin to a target (N, 2) crosses a footprint."""
    found = np.zeros((len(targets), len(blocks)), dtype=np.bool_)
    for j in range(len(blocks)):
        cos, sin = math.cos(blocks[j, 4]), math.sin(blocks[j, 4])
        eye_x = -(blocks[j, 0] * cos + blocks[j, 1] * sin)
        eye_y = -(blocks[j, 1] * cos - blocks[j, 0] * sin)
        for i in range(len(targets)):
            way_x = targets[i, 0] * cos + targets[i, 1] * sin
            way_y = targets[i, 1] * cos - targets[i, 0] * sin
            enter, leave = 0.0, 1.0
            for eye, way, half in (
                (eye_x, way_x, blocks[j, 2] / 2),
                (eye_y, way_y, blocks[j, 3] / 2),
            ):
                if way == 0.0:
                    if abs(eye) >= half:
                        leave = -1.0
                    continue
                first, last = (-half - eye) / way, (half - eye) / way
                enter, leave = max(enter, min(first, last)), min(leave, max(first, last))
            found[i, j] = leave - enter > TOUCH
    return found


@compiled
def spans(footprint: F64, grown: float, cells: int, cell: float) -> tuple[int, int, int, int]:
    """The rows and columns (first, last + 1) of a centred grid that a footprint may touch."""
    cos, sin = abs(math.cos(footprint[4])), abs(math.sin(footprint[4]))
    half_long, half_wide = footprint[2] / 2 + grown, footprint[3] / 2 + grown
    tall, wide = half_long * cos + half_wide * sin, half_long * sin + half_wide * cos
    x, y = footprint[0] / cell + cells // 2, footprint[1] / cell + cells // 2
    return (
        max(math.floor(x - tall / cell), 0),
        min(math.floor(x + tall / cell) + 1, cells),
        max(math.floor(y - wide / cell), 0),
        min(math.floor(y + wide / cell) + 1, cells),
    )


@compiled
def within(
    off_x: float, off_y: float, cos: float, sin: float, half_long: float, half_wide: float
) -> bool:
    """Whether a point at offset off_x, off_y from the centre of a rectangle lies in it."""
    return (
        abs(off_x * cos + off_y * sin) <= half_long and abs(off_y * cos - off_x * sin) <= half_wide
    )


@compiled
def standing(footprints: F64, area: Bools, least: float, cell: float) -> Bools:
    """(N,) whether at least this share of the cells of each footprint lies in the area.

    area: (C, C) [x, y], centred at the origin. A cell belongs to a footprint that contains its
    centre; a footprint without cells is outside.
    """
    cells = len(area)
    found = np.zeros(len(footprints), dtype=np.bool_)
    for i in range(len(footprints)):
        first, end, left, right = spans(footprints[i], 0.0, cells, cell)
        cos, sin = math.cos(footprints[i, 4]), math.sin(footprints[i, 4])
        half_long, half_wide = footprints[i, 2] / 2, footprints[i, 3] / 2
        most = (1 - least) * (end - first) * (right - left)
        inside, outside = 0, 0
        for row in range(first, end):
            off_x = (row - cells // 2 + 0.5) * cell - footprints[i, 0]
            for column in range(left, right):
                off_y = (column - cells // 2 + 0.5) * cell - footprints[i, 1]
                if within(off_x, off_y, cos, sin, half_long, half_wide):
                    inside += area[row, column]
                    outside += not area[row, column]
            if outside > most:
                break
        found[i] = inside > 0 and outside <= (1 - least) * (inside + outside)
    return found


@compiled
def obstructed(footprints: F64, grown: float, lowest: F32, height: float, cell: float) -> Bools:
    """(N,) whether an obstacle lower than `height` lies in each footprint enlarged by `grown`.

    lowest: (C, C) [x, y], centred at the origin: the lower end of the obstacle in a cell. A cell
    counts if its centre is within half its diagonal of the enlarged footprint, so that no point in
    it is missed.
    """
    cells, reach = len(lowest), grown + cell * math.sqrt(0.5)
    found = np.zeros(len(footprints), dtype=np.bool_)
    for i in range(len(footprints)):
        first, end, left, right = spans(footprints[i], reach, cells, cell)
        cos, sin = math.cos(footprints[i, 4]), math.sin(footprints[i, 4])
        half_long, half_wide = footprints[i, 2] / 2 + reach, footprints[i, 3] / 2 + reach
        for row in range(first, end):
            off_x = (row - cells // 2 + 0.5) * cell - footprints[i, 0]
            for column in range(left, right):
                if lowest[row, column] < height:
                    off_y = (column - cells // 2 + 0.5) * cell - footprints[i, 1]
                    found[i] |= within(off_x, off_y, cos, sin, half_long, half_wide)
            if found[i]:
                break
    return found
