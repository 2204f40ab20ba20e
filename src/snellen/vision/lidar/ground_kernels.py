"""Compiled loops over the ground points of a sweep."""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt

from snellen.vision.compiled import compiled

Floats = npt.NDArray[np.float64]

TURN = 2 * math.pi
SECTORS, BIN = 480, 0.5
DENSE = 12.0
NEXT_RING, STEEPEST = 0.4, 0.15
TOO_LOW, DOWNHILL = 0.3, 0.1


@compiled
def height_at(grid: Floats, cell: float, x: float, y: float) -> float:
    """The height at x and y, linear between the middles of cells of the grid (C, C) [x, y], which
    is centred at the origin; beyond it the border's. As `GroundSurface` has it.
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
def heaped(
    points: npt.NDArray[np.float32],
    mask: npt.NDArray[np.bool_],
    ceiling: Floats,
    cell: float,
) -> tuple[Floats, Floats]:
    """The sum of z and the number of masked points in each cell, [x, y], under its ceiling (C, C).

    The grid is centred at the origin; what lies off it is left out.
    """
    cells = len(ceiling)
    sums = np.zeros((cells, cells))
    counts = np.zeros((cells, cells))
    for i in range(len(points)):
        if not mask[i]:
            continue
        row = int(np.floor(points[i, 0] / cell)) + cells // 2
        column = int(np.floor(points[i, 1] / cell)) + cells // 2
        if 0 <= row < cells and 0 <= column < cells and points[i, 2] < ceiling[row, column]:
            sums[row, column] += points[i, 2]
            counts[row, column] += 1.0
    return sums, counts


@compiled
def raised(sums: Floats, counts: Floats, cell: float) -> None:
    """Empties the cells that lie far below most around them: reflections seen under the ground.

    Around is in blocks of 4, 8 and 16 m, with at least three other cells.
    """
    cells = len(sums)
    for block in (int(4 / cell), int(8 / cell), int(16 / cell)):
        deepest = TOO_LOW + DOWNHILL * block * cell
        for top in range(0, cells, block):
            for left in range(0, cells, block):
                total, number = 0.0, 0
                for row in range(top, min(top + block, cells)):
                    for column in range(left, min(left + block, cells)):
                        if counts[row, column] > 0:
                            total += sums[row, column] / counts[row, column]
                            number += 1
                for row in range(top, min(top + block, cells) if number > 3 else top):
                    for column in range(left, min(left + block, cells)):
                        if counts[row, column] > 0:
                            own = sums[row, column] / counts[row, column]
                            if own < (total - own) / (number - 1) - deepest:
                                sums[row, column] = counts[row, column] = 0.0


@compiled
def strung(
    points: npt.NDArray[np.float32],
    mask: npt.NDArray[np.bool_],
    ceiling: Floats,
    sums: Floats,
    counts: Floats,
    cell: float,
) -> None:
    """Gives the empty cells between one ring's points and the next's a height on the line there.

    Lines go outwards, in sectors of azimuth, between ground points under the ceiling, in cells
    that have any, that are not too far apart for two rings nor too steep for ground.
    """
    cells = len(ceiling)
    bins = int(cells * cell / 2 / BIN)
    total = np.zeros((SECTORS, bins), dtype=np.float32)
    number = np.zeros((SECTORS, bins), dtype=np.float32)
    for i in range(len(points)):
        if not mask[i]:
            continue
        x, y = float(points[i, 0]), float(points[i, 1])
        run = math.sqrt(x * x + y * y)
        if run < DENSE or run >= bins * BIN:
            continue
        row, column = math.floor(x / cell) + cells // 2, math.floor(y / cell) + cells // 2
        if counts[row, column] > 0 and points[i, 2] < ceiling[row, column]:
            sector = int((math.atan2(y, x) / TURN + 0.5) * SECTORS) % SECTORS
            total[sector, int(run / BIN)] += points[i, 2]
            number[sector, int(run / BIN)] += 1
    between = np.zeros((2, cells, cells), dtype=np.float32)
    for sector in range(SECTORS):
        turn = ((sector + 0.5) / SECTORS - 0.5) * TURN
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
                    between[0, row, column] += low + (high - low) * k / gap
                    between[1, row, column] += 1
            last = place
    for row in range(cells):
        for column in range(cells):
            if counts[row, column] == 0 and between[1, row, column] > 0:
                sums[row, column] = between[0, row, column] / between[1, row, column]
                counts[row, column] = 1.0
