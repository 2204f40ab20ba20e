"""Compiled loops over the points of a sweep that changes."""

from __future__ import annotations

import numpy as np

from snellen.vision.arrays import Bools, Ints, Ints32, Points
from snellen.vision.compilation import compiled


@compiled
def merged(
    points: Points,
    removed: Bools,
    added: Points,
    above: Ints,
    rows: Ints,
) -> Points:
    """The points that are not removed with added[i] put before points[above[i]]; fills rows.

    points: (N, C), added: (A, C), above: (A,) rising, 0 to N. rows: (A,) where the added ones are.
    """
    out = np.empty((len(points) + len(added) - removed.sum(), points.shape[1]), dtype=points.dtype)
    row, taken = 0, 0
    for i in range(len(points) + 1):
        while taken < len(added) and above[taken] == i:
            for column in range(points.shape[1]):
                out[row, column] = added[taken, column]
            rows[taken] = row
            taken += 1
            row += 1
        if i < len(points) and not removed[i]:
            for column in range(points.shape[1]):
                out[row, column] = points[i, column]
            row += 1
    return out


@compiled
def moved_sources(
    source: Ints32,
    removed: Bools,
    rows: Ints,
    mark: int,
) -> Ints32:
    """The sources (M,) of a merged cloud: of the kept points their own, of the added ones `mark`.

    source, removed: (N,) of the points before; rows: (A,) rising, where the added ones are.
    """
    out = np.full(len(source) + len(rows) - removed.sum(), mark, dtype=np.int32)
    row, taken = 0, 0
    for i in range(len(source)):
        if removed[i]:
            continue
        while taken < len(rows) and rows[taken] == row:
            taken += 1
            row += 1
        out[row] = source[i]
        row += 1
    return out
