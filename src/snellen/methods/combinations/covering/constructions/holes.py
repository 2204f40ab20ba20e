"""Arrays in which the pairs among a few labels need not be shown."""

from __future__ import annotations

import numpy as np

from snellen.methods.combinations.covering.members import members_of, values_of
from snellen.vision.arrays import Bools, Ints

STARTS = 64
WORTH = np.array([0, 64, 8, 1])
"""What it is worth to add a label that a row still lacks to be inside: by how many it lacks."""


def rows_with_hole(rows: Ints, n: int, hole: int) -> Ints:
    """The rows of an array of n labels, renamed, without those that lie within the last `hole`.

    The labels for the hole are chosen so that many rows lie within them.

    >>> rows_with_hole(np.array([[0, 1], [0, 2], [1, 2]]), 3, 2).tolist()
    [[0, 1], [0, 2]]
    """
    values = values_of(rows, n)
    chosen = [_around(values, at, hole) for at in range(min(STARTS, len(rows)))]
    inside = max(chosen, key=lambda one: int(_within(values, one).sum()))
    order = np.concatenate([np.flatnonzero(~inside), np.flatnonzero(inside)])
    return members_of(values[~_within(values, inside)][:, order], rows.shape[1])


def _within(values: Bools, labels: Bools) -> Bools:
    return np.logical_not((values & ~labels).any(axis=1))


def _around(values: Bools, at: int, hole: int) -> Bools:
    """Labels, `hole` of them, that hold one row (or a part of it) and others as far as possible."""
    labels = np.zeros(values.shape[1], bool)
    labels[np.flatnonzero(values[at])[:hole]] = True
    while labels.sum() < hole:
        lacking = values & ~labels
        worth = WORTH[np.minimum(lacking.sum(axis=1), len(WORTH)) % len(WORTH)]
        gain = worth @ lacking
        gain[labels] = -1
        labels[gain.argmax()] = True
    return labels
