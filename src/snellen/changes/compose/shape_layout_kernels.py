"""Compiled placing of shapes beside and over each other, to the pixel.

A shape is read in two ways: as runs of set pixels, row by row, and as counts of its still visible
pixels from the left end of each row. How much of one lies over another is then a sum over runs, so
that a step along the ray costs as much as the shape has rows, not pixels.
"""

from __future__ import annotations

import numpy as np

from snellen.vision.arrays import Bytes, Ints, Ints32
from snellen.vision.compilation import compiled

MILLION = 1_000_000


@compiled
def middle_of(shape: Bytes) -> tuple[int, int]:
    """Row and column of the set pixel nearest to the middle; 0, 0 where none is set."""
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
    """The runs of set pixels of a shape, H x W of 0 and 1, and where each row's begin.

    Runs: (R, 3) of row, first column, column after the last. Begins: (H + 1,).
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
    """Write the number of visible pixels left of each column, H x (W + 1), for H x W of 0 and 1."""
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
    """Visible pixels of a shape of height x width that another, so far down and right, covers."""
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
    """A shape, H x W, without the pixels that another, so far down and right of it, covers."""
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
    """Top and left of a shape `step` steps out along its ray; see `innermost`."""
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
    """The last step, coming in from `far`, before a new shape would overlap too much.

    runs, begins, area: the new shape. start: its top and left at step 0. slope: millionths of a
    pixel down and right for each step. counts, sizes, corners, areas, hidden: of the shapes that
    lie there, see `visible_counts`; how many pixels of each are hidden already. Too much: a share
    of the new shape above `wanted` lies over others, or of another under it, or any shape's share
    that is over or under others comes to `limit`. Wanted is 0 at the least: touching is allowed.
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
