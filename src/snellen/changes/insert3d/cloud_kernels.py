"""Compiled merging of new returns into the points of a sweep."""

from __future__ import annotations

import numpy as np

from snellen.vision.arrays import Bools, Ints, Ints32, Points
from snellen.vision.compilation import compiled


@compiled
def merge_points(
    points: Points,
    removed: Bools,
    added: Points,
    above: Ints,
    rows: Ints,
) -> Points:
    """The points that are not removed, with added[i] inserted before points[above[i]].

    points: (N, C), added: (A, C), above: (A,) increasing, 0 to N. rows: (A,) is filled with the
    rows of the added points.
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
def merge_sources(
    source: Ints32,
    removed: Bools,
    rows: Ints,
    mark: int,
) -> Ints32:
    """(M,) sources of a merged cloud: of old points their own, of added ones `mark`.

    source, removed: (N,) of the old points; rows: (A,) increasing, of the added ones.
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
