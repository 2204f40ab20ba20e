"""Compiled backtracking search for base rows whose differences cover every class."""

from __future__ import annotations

import numpy as np

from snellen.vision.arrays import Ints
from snellen.vision.compilation import compiled


@compiled
def _add(row: Ints, size: int, label: int, classes: Ints, seen: Ints) -> int:
    """Add a label to the row; returns how many of its differences are in classes already seen."""
    twice = 0
    for i in range(size):
        at = classes[(label - row[i]) % classes.size]
        twice += seen[at] > 0
        seen[at] += 1
    return twice


@compiled
def _drop(row: Ints, size: int, label: int, classes: Ints, seen: Ints) -> int:
    """Remove the label again; returns the same number."""
    twice = 0
    for i in range(size):
        at = classes[(label - row[i]) % classes.size]
        seen[at] -= 1
        twice += seen[at] > 0
    return twice


@compiled
def _fitting(
    options: Ints, start: int, newest: int, classes: Ints, seen: Ints, spare: int, into: Ints
) -> int:
    """Copy options from `start` on that fit the newest label to `into`; returns their number."""
    count = 0
    for at in range(start, options.size):
        if spare > 0 or seen[classes[(options[at] - newest) % classes.size]] == 0:
            into[count] = options[at]
            count += 1
    return count


@compiled
def _unseen(order: Ints, classes: Ints, seen: Ints) -> int:
    """The first label whose difference from 0 is in an unseen class, else the first label."""
    for label in order:
        if seen[classes[label]] == 0:
            return int(label)
    return int(order[0] if order[0] else order[1])


@compiled
def base_rows(rows: Ints, order: Ints, classes: Ints, seen: Ints, spare: int, limit: int) -> bool:
    """Whether base rows (rows, most), filled in place, were found that cover all classes.

    `classes`: the class of each difference. `seen`: how often each class is covered already (class
    0, which is not needed, at least once). `spare`: how many differences may be in classes covered
    before. `order`: in which labels are tried. Some row must cover the first uncovered class; that
    row is built next, and without loss of generality it starts with 0 and a label with this
    difference. At most `limit` labels are added.
    """
    total, most = rows.shape
    options = np.empty((total, most, order.size), np.int64)
    count = np.zeros((total, most), np.int64)
    tried = np.zeros((total, most), np.int64)
    rows[:, 0] = 0
    one = 1 + 0 * most  # a literal 1 has its own type, for which numba would compile again
    r, i = 0, one
    options[0, 1, 0], count[0, 1] = _unseen(order, classes, seen), 1
    while limit > 0:
        if tried[r, i] == count[r, i]:
            i -= 1
            if i == 0:
                r, i = r - 1, most - 1
            if r < 0:
                return False
            spare += _drop(rows[r], i, rows[r, i], classes, seen)
            continue
        label = options[r, i, tried[r, i]]
        tried[r, i] += 1
        limit -= 1
        twice = _add(rows[r], i, label, classes, seen)
        if twice > spare:
            _drop(rows[r], i, label, classes, seen)
            continue
        spare -= twice
        rows[r, i] = label
        if i == most - 1:
            if r + 1 == total:
                return True
            r, i = r + 1, one
            options[r, 1, 0], count[r, 1] = _unseen(order, classes, seen), 1
        else:
            rest, start = order, 0
            if i > 1:
                rest, start = options[r, i, : count[r, i]], tried[r, i]
            i += 1
            count[r, i] = _fitting(rest, start, label, classes, seen, spare, options[r, i])
        tried[r, i] = 0
    return False
