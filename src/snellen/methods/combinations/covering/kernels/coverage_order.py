"""Compiled ordering of rows by greatest additional coverage."""

from __future__ import annotations

import numpy as np

from snellen.methods.combinations.covering.kernels.greedy_rows import mark, next_choice
from snellen.vision.arrays import Bytes, Ints
from snellen.vision.compilation import compiled


@compiled
def _gain(need: Bytes, row: Ints, count: int, size: int, n: int) -> int:
    if count < size:
        return 0
    choice = np.arange(size)
    gain = 0
    while True:
        at = 0
        for i in range(size):
            at = at * n + row[choice[i]]
        gain += int(need[at])
        if not next_choice(choice, size, count):
            return gain


@compiled
def by_new_coverage(rows: Ints, need: Bytes, size: int, n: int) -> Ints:
    """The order in which each row covers the most sets that earlier rows do not; clears `need`.

    The gain of a row only decreases as others are placed, so one pass per level is enough.
    """
    total, width = rows.shape
    counts = np.zeros(total, np.int64)
    gains = np.zeros(total, np.int64)
    for r in range(total):
        while counts[r] < width and rows[r, counts[r]] >= 0:
            counts[r] += 1
        gains[r] = _gain(need, rows[r], counts[r], size, n)
    order = np.empty(total, np.int64)
    placed = 0
    level = 0
    for r in range(total):
        level = max(level, gains[r])
    while placed < total:
        following = 0
        for r in range(total):
            if gains[r] < 0:
                continue
            if gains[r] >= level:
                gains[r] = _gain(need, rows[r], counts[r], size, n)
                if gains[r] >= level:
                    mark(need, rows[r], counts[r], size, n)
                    order[placed] = r
                    placed += 1
                    gains[r] = -1
                    continue
            following = max(following, gains[r])
        level = following
    return order
