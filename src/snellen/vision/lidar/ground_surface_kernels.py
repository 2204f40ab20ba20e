"""Compiled loops that estimate the height of the ground."""

from __future__ import annotations

import math

import numpy as np

from snellen.vision.arrays import F32, F64, Bools, Ints
from snellen.vision.compilation import compiled

TURN = 2 * math.pi
SECTORS, BIN = 480, 0.5
DENSE = 12.0
NEXT_RING, STEEPEST = 0.4, 0.15
TOO_LOW, DOWNHILL = 0.3, 0.1
NEXT_TO = 1e-4


@compiled
def height_at(grid: F64, cell: float, x: float, y: float) -> float:
    """The height at x and y, linear between cell centres of the grid (C, C) [x, y], which is
    centred at the origin; beyond it that of the border. The same as `GroundSurface`.
    """
    last = len(grid) - 1
    down = min(max(np.float64(x) / cell + last / 2, 0.0), float(last))
    along = min(max(np.float64(y) / cell + last / 2, 0.0), float(last))
    row, column = min(int(down), last - 1), min(int(along), last - 1)
    down, along = down - row, along - column
    near = grid[row, column] * (1 - along) + grid[row, column + 1] * along
    far = grid[row + 1, column] * (1 - along) + grid[row + 1, column + 1] * along
    return float(near * (1 - down) + far * down)


@compiled
def sector_of(x: float, y: float, count: int) -> int:
    """The sector, of `count` equal ones, that a place lies in, counted from -x over -y and +x.

    The same as by arc tangent, which is used only near a border: elsewhere a polynomial exact to
    2e-8 (Abramowitz and Stegun, 4.4.49) takes a third of the time.
    """
    along, beside = max(abs(x), abs(y)), min(abs(x), abs(y))
    if along > 0:
        ratio = beside / along
        square = ratio * ratio
        series = -0.0161657367 + 0.0028662257 * square
        series = -0.0752896400 + square * (0.0429096138 + square * series)
        series = -0.1420889944 + square * (0.1065626393 + square * series)
        series = -0.3333314528 + square * (0.1999355085 + square * series)
        angle = ratio * (1 + square * series)
        angle = math.pi / 2 - angle if abs(y) > abs(x) else angle
        angle = math.pi - angle if x < 0 else angle
        place = ((-angle if y < 0 else angle) / TURN + 0.5) * count
        if NEXT_TO < place - math.floor(place) < 1 - NEXT_TO:
            return int(place)
    return int((math.atan2(y, x) / TURN + 0.5) * count) % count


@compiled
def cell_sums(points: F32, mask: Bools, cells: int, cell: float) -> tuple[F64, F64]:
    """The sum of z and the number of masked points in each cell (cells, cells), [x, y].

    The grid is centred at the origin; points outside are left out.
    """
    sums = np.zeros((cells, cells))
    counts = np.zeros((cells, cells))
    for i in range(len(points)):
        if not mask[i]:
            continue
        row = int(np.floor(points[i, 0] / cell)) + cells // 2
        column = int(np.floor(points[i, 1] / cell)) + cells // 2
        if 0 <= row < cells and 0 <= column < cells:
            sums[row, column] += points[i, 2]
            counts[row, column] += 1.0
    return sums, counts


@compiled
def nonzero_cells(counts: F64) -> Ints:
    """The flat indices of the cells of a grid (C, C) that are not 0."""
    cells, found = len(counts), 0
    places = np.empty(cells * cells, np.int64)
    for row in range(cells):
        for column in range(cells):
            if counts[row, column] != 0:
                places[found] = row * cells + column
                found += 1
    return places[:found]


@compiled
def drop_reflections(sums: F64, counts: F64, cell: float) -> None:
    """Empty the cells far below their surroundings, in place: reflections below the ground.

    The surroundings are blocks of 4, 8 and 16 m with at least three other cells.
    """
    cells, filled = np.uint32(len(sums)), nonzero_cells(counts)
    heights, blocks = np.empty(len(filled)), np.empty(len(filled), dtype=np.uint32)
    for side in (4, 8, 16):
        block, deepest = np.uint32(side / cell), TOO_LOW + DOWNHILL * side
        across = (cells + block - 1) // block
        total, number = np.zeros(across * across), np.zeros(across * across)
        for k in range(len(filled)):
            at = np.uint32(filled[k])
            blocks[k] = at // cells // block * across + at % cells // block
            if counts.flat[at] > 0:
                heights[k] = sums.flat[at] / counts.flat[at]
                total[blocks[k]] += heights[k]
                number[blocks[k]] += 1
        for k in range(len(filled)):
            others = number[blocks[k]] - 1
            if counts.flat[filled[k]] > 0 and others > 2:
                mean = (total[blocks[k]] - heights[k]) / others
                if heights[k] < mean - deepest:
                    sums.flat[filled[k]] = counts.flat[filled[k]] = 0.0


@compiled
def sums_with_lines(points: F32, mask: Bools, ceiling: F64, cell: float) -> tuple[F64, F64]:
    """The sum of z and the number of masked points in each cell, [x, y], below its ceiling (C, C);
    empty cells between two rings get one point, interpolated linearly.

    Lines go outwards, in sectors of azimuth, between ground points below the ceiling that are
    neither too far apart for two rings nor too steep for ground.
    """
    cells = len(ceiling)
    bins = int(cells * cell / 2 / BIN)
    sums, counts = np.zeros((cells, cells)), np.zeros((cells, cells))
    total = np.zeros((SECTORS, bins), dtype=np.float32)
    number = np.zeros((SECTORS, bins), dtype=np.float32)
    for i in range(len(points)):
        if not mask[i]:
            continue
        x, y = float(points[i, 0]), float(points[i, 1])
        row, column = math.floor(x / cell) + cells // 2, math.floor(y / cell) + cells // 2
        if not (0 <= row < cells and 0 <= column < cells):
            continue
        if not points[i, 2] < ceiling[row, column]:
            continue
        sums[row, column] += points[i, 2]
        counts[row, column] += 1.0
        run = math.sqrt(x * x + y * y)
        if DENSE <= run < bins * BIN:
            sector = sector_of(x, y, SECTORS)
            total[sector, int(run / BIN)] += points[i, 2]
            number[sector, int(run / BIN)] += 1
    lines, crossed = line_sums(total, number, cells, cell)
    for row in range(cells):
        for column in range(cells):
            if counts[row, column] == 0 and crossed[row, column] > 0:
                sums[row, column] = lines[row, column] / crossed[row, column]
                counts[row, column] = 1.0
    return sums, counts


@compiled
def line_sums(total: F32, number: F32, cells: int, cell: float) -> tuple[F32, F32]:
    """The sum of heights and the number of lines between rings that cross each cell.

    total, number: sum of z and number of points in sectors and bins of range.
    """
    sectors, bins = total.shape
    lines = np.zeros((cells, cells), dtype=np.float32)
    crossed = np.zeros((cells, cells), dtype=np.float32)
    for sector in range(sectors):
        turn = ((sector + 0.5) / sectors - 0.5) * TURN
        cos, sin = math.cos(turn) / cell, math.sin(turn) / cell
        last = -1
        for place in range(bins):
            if number[sector, place] == 0:
                continue
            high = total[sector, place] / number[sector, place]
            gap = place - last
            if last >= 0 and 1 < gap < NEXT_RING * last:
                low = total[sector, last] / number[sector, last]
                steep = abs(high - low) > STEEPEST * gap * BIN
                for k in range(gap if steep else 1, gap):
                    run = (last + k + 0.5) * BIN
                    row = math.floor(run * cos) + cells // 2
                    column = math.floor(run * sin) + cells // 2
                    lines[row, column] += low + (high - low) * k / gap
                    crossed[row, column] += 1
            last = place
    return lines, crossed


@compiled
def downsampled(grid: F64) -> F64:
    """(C / 2, C / 2) the sums of 2 x 2 cells of a grid (C, C)."""
    half = len(grid) // 2
    sums = np.empty((half, half))
    for row in range(half):
        above, below = grid[2 * row], grid[2 * row + 1]
        for k in range(half):
            left, right = 2 * k, 2 * k + 1
            sums[row, k] = (above[left] + below[left]) + (above[right] + below[right])
    return sums


@compiled
def blended(sums: F64, counts: F64, around: F64, trust: float) -> F64:
    """(C, C) the mean of every cell, with that of its surroundings weighted as `trust` points.

    around: (C / 2, C / 2) the mean at half the resolution, linear between cell centres.
    """
    half, cells = len(around), len(sums)
    wide, means = np.empty((half, cells)), np.empty((cells, cells))
    for row in range(half):
        wide[row, 0], wide[row, cells - 1] = around[row, 0], around[row, half - 1]
        for k in range(half - 1):
            left, right = around[row, k], around[row, k + 1]
            wide[row, 2 * k + 1] = left * 0.75 + right * 0.25
            wide[row, 2 * k + 2] = left * 0.25 + right * 0.75
    for row in range(cells):
        first = (row - 1) // 2
        above, below = wide[max(first, 0)], wide[min(first + 1, half - 1)]
        part = 0.25 if row % 2 else 0.75
        for column in range(cells):
            level = above[column] * (1 - part) + below[column] * part
            means[row, column] = (sums[row, column] + trust * level) / (counts[row, column] + trust)
    return means
