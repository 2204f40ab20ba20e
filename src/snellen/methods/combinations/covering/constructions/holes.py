"""Arrays with a hole: pairs among a few labels need not be covered."""

from __future__ import annotations

import numpy as np

from snellen.methods.combinations.covering.members import members_of, values_of
from snellen.vision.arrays import Bools, Ints

STARTS = 64
WORTH = np.array([0, 64, 8, 1])
"""Weight of a label for a row that lacks this many labels to be inside the hole."""


def rows_with_hole(rows: Ints, n: int, hole: int) -> Ints:
    """The rows of an array of n labels, relabelled, without those inside the last `hole` labels.

    The labels of the hole are chosen so that many rows are inside it.

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
    """`hole` labels that contain one row (or a part of it) and as many others as possible."""
    labels = np.zeros(values.shape[1], bool)
    labels[np.flatnonzero(values[at])[:hole]] = True
    while labels.sum() < hole:
        lacking = values & ~labels
        worth = WORTH[np.minimum(lacking.sum(axis=1), len(WORTH)) % len(WORTH)]
        gain = worth @ lacking
        gain[labels] = -1
        labels[gain.argmax()] = True
    return labels
