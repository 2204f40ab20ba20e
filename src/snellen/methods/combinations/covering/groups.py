"""Many labels in groups: curves show what spans groups, smaller arrays what lies within.

n = (most - 1) q + r + w: most - 1 groups of q labels, one of r <= q, and w labels shared by all.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from snellen.methods.combinations.covering.bound import schoenheim
from snellen.methods.combinations.covering.fields import factors_of, lines
from snellen.methods.combinations.covering.members import Members, stacked

SHARED_MOST = 16
SEARCHED = 44
OVER = {4: 30, 5: 50, 6: 75}
OVER_ELSE = 120
"""How far over the bound, in thousandths, arrays of up to SEARCHED labels are taken to be."""

Fill = Callable[[int, int], Members]
"""Rows for the pairs of so many labels, but those among so many last ones."""


@dataclass(frozen=True)
class Layout:
    """The size q of a full group, r of the last one, and w of the shared labels."""

    q: int
    r: int
    w: int


def layouts(n: int, most: int) -> list[Layout]:
    """The possible layouts, by the number of rows that each is likely to need."""
    return sorted(_possible(n, most), key=lambda one: (_likely(one, most), one.q, one.w))


def _possible(n: int, most: int) -> Iterator[Layout]:
    for q in range(most - 1, n):
        if min(factors_of(q)) < most - 1:
            continue
        for w in range(SHARED_MOST + 1):
            r = n - w - (most - 1) * q
            if 0 <= r <= q and (w == 0 or q + w <= n // 2):
                yield Layout(q, r, w)


def _likely(one: Layout, most: int) -> int:
    """The rows that a layout is likely to need, in thousandths."""
    shared = _size(one.w, most) if one.w >= most else 0
    full = _size(one.q + one.w, most)
    return 1000 * one.q**2 + (most - 1) * (full - shared) + _size(one.r + one.w, most)


@lru_cache(maxsize=4096)
def _size(n: int, most: int) -> int:
    if n <= most:
        return 1000 * min(n, 1)
    searched = schoenheim(n, most, 2) * (1000 + OVER.get(most, OVER_ELSE))
    if n <= SEARCHED:
        return searched
    return min((_likely(one, most) for one in _possible(n, most)), default=searched)


def grouped_rows(layout: Layout, most: int, fill: Fill) -> Members:
    """Rows that show every pair of the labels of a layout."""
    q, r, w = layout.q, layout.r, layout.w
    spanning = lines(q, most) + np.arange(most) * q
    last = spanning[:, -1]
    last[last >= (most - 1) * q + r] = -1
    shared = np.arange(w) + (most - 1) * q + r
    parts = [spanning]
    sizes = [q] * (most - 1) + ([r] if r else [])
    for at, size in enumerate(sizes):
        labels = np.concatenate([np.arange(size) + at * q, shared])
        if len(labels) < 2:
            continue
        rows = fill(len(labels), w if at else 0)
        parts.append(np.where(rows >= 0, labels[rows], -1))
    return stacked(parts, most)
