"""Compiled loops over the ground points of a sweep."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from snellen.vision.compiled import compiled

Floats = npt.NDArray[np.float64]


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
