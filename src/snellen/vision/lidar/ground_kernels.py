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
def strung(
    points: npt.NDArray[np.float32],
    mask: npt.NDArray[np.bool_],
    ceiling: Floats,
    sums: Floats,
    counts: Floats,
    cell: float,
) -> None:
    """Gives the empty cells between one ring's points and the next's a height on the line there.

    Lines go outwards, in sectors of azimuth, between ground points under the ceiling that are not
    too far apart for two rings nor too steep for ground.
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
        if points[i, 2] < ceiling[row, column]:
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
