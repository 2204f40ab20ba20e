"""Compiled placement of shapes beside and over each other, to the pixel.

A shape is stored in two ways: as runs of set pixels, row by row, and as cumulative counts of its
visible pixels along each row. The overlap of two shapes is then a sum over runs, so that the cost
of a step along the ray grows with the rows of the shape, not with its pixels.
"""

from __future__ import annotations

import numpy as np

from snellen.vision.arrays import Bytes, Ints, Ints32
from snellen.vision.compilation import compiled

MILLION = 1_000_000


@compiled
def middle_of(shape: Bytes) -> tuple[int, int]:
    """Row and column of the set pixel nearest to the centre; 0, 0 if none is set."""
    height, width = shape.shape
    row, column, least = 0, 0, height**2 + width**2 + 1
    for y in range(height):
        down = (2 * y + 1 - height) ** 2
        if down >= least:
            continue
        for x in range(width):
            away = down + (2 * x + 1 - width) ** 2
            if away < least and shape[y, x] != 0:
                row, column, least = y, x, away
    return row, column


@compiled
def runs_of(shape: Bytes) -> tuple[Ints32, Ints32]:
    """The runs of set pixels of a shape, (H, W) of 0 and 1, and the first run of each row.

    Runs: (R, 3) row, first column, last column + 1. First runs: (H + 1,).
    """
    height, width = shape.shape
    runs = np.empty((height * (width // 2 + 1), 3), np.int32)
    begins = np.empty(height + 1, np.int32)
    count = 0
    for row in range(height):
        begins[row] = count
        column = 0
        while column < width:
            if shape[row, column] == 0:
                column += 1
                continue
            runs[count, 0], runs[count, 1] = row, column
            while column < width and shape[row, column] != 0:
                column += 1
            runs[count, 2] = column
            count += 1
    begins[height] = count
    return runs[:count].copy(), begins


@compiled
def visible_counts(visible: Bytes, counts: Ints32) -> None:
    """Write to counts (H, W + 1) the number of visible pixels, (H, W) of 0 and 1, left of each."""
    height, width = visible.shape
    for row in range(height):
        total = 0
        counts[row, 0] = 0
        for column in range(width):
            total += visible[row, column]
            counts[row, column + 1] = total


@compiled
def covered(
    runs: Ints32, begins: Ints32, counts: Ints32, height: int, width: int, down: int, right: int
) -> int:
    """Visible pixels of a height x width shape that another covers, moved by `down` and `right`."""
    first = max(0, -down)
    last = min(len(begins) - 1, height - down)
    total = 0
    for run in range(begins[first] if first < last else 0, begins[last] if first < last else 0):
        start = max(runs[run, 1] + right, 0)
        stop = min(runs[run, 2] + right, width)
        if start < stop:
            row = runs[run, 0] + down
            total += counts[row, stop] - counts[row, start]
    return total


@compiled
def hide(visible: Bytes, runs: Ints32, down: int, right: int) -> Bytes:
    """A shape (H, W) without the pixels that another covers, moved by `down` and `right`."""
    height, width = visible.shape
    left = visible.copy()
    for run in range(len(runs)):
        row = runs[run, 0] + down
        if 0 <= row < height:
            start, stop = max(runs[run, 1] + right, 0), min(runs[run, 2] + right, width)
            for column in range(start, stop):
                left[row, column] = 0
    return left


@compiled
def corner_at(step: int, start: Ints, slope: Ints) -> tuple[int, int]:
    """Top and left of a shape after `step` steps outwards along its ray; see `innermost`."""
    top = start[0] + (step * slope[0] + MILLION // 2) // MILLION
    left = start[1] + (step * slope[1] + MILLION // 2) // MILLION
    return top, left


@compiled
def innermost(
    runs: Ints32,
    begins: Ints32,
    area: int,
    start: Ints,
    slope: Ints,
    far: int,
    counts: Ints32,
    sizes: Ints,
    corners: Ints,
    areas: Ints,
    hidden: Ints,
    wanted: float,
    limit: float,
) -> int:
    """The last step, coming in from `far`, before a new shape overlaps too much.

    runs, begins, area: of the new shape. start: its top and left at step 0. slope: millionths of a
    pixel down and right per step. counts, sizes, corners, areas, hidden: of the shapes placed so
    far, see `visible_counts`; hidden counts their hidden pixels. The overlap is too much if more
    than the share `wanted` of the new shape covers others, or of another is covered by it, or if
    the covering or covered share of any shape reaches `limit`. Touching is always allowed.
    """
    for step in range(far, -1, -1):
        top, left = corner_at(step, start, slope)
        total = 0
        for old in range(len(sizes)):
            height, width = sizes[old]
            down, right = top - corners[old, 0], left - corners[old, 1]
            lost = covered(runs, begins, counts[old], height, width, down, right)
            total += lost
            if lost > wanted * areas[old] or (
                lost > 0 and lost + hidden[old] >= limit * areas[old]
            ):
                return step + 1
        if total > wanted * area or (total > 0 and total >= limit * area):
            return step + 1
    return 0
