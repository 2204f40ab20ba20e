"""Many labels in groups: an orthogonal array covers pairs across groups, small arrays those within.

n = (most - 1) q + r + w: most - 1 groups of q labels, one of r <= q, and w labels shared by all.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from snellen.methods.combinations.covering.bound import schoenheim
from snellen.methods.combinations.covering.constructions.finite_fields import factors_of, lines
from snellen.methods.combinations.covering.members import stacked
from snellen.vision.arrays import Ints

SHARED_MOST = 20
SAVED = 400
"""Share of the rows for the shared labels alone that each further group saves, in thousandths."""
DELETED_MOST = 3
SMALL, OVER = 44, 120
"""Up to SMALL labels, arrays not listed below are assumed to be OVER thousandths over the bound."""
SEARCHED: dict[int, tuple[int, ...]] = {
    4: (
        3, 3, 5, 6, 8, 9, 11, 12, 13, 18, 19, 20, 26, 27, 31, 35, 38, 40, 46, 49, 52, 59,
        62, 63, 73, 75, 80, 88, 94, 99, 105, 108, 111, 125, 130, 133, 146, 147, 155, 165,
        169, 173, 188, 192, 196, 213, 220, 221, 241, 243, 249, 270, 274, 284, 295, 300, 305,
    ),
    5: (
        3, 3, 4, 5, 6, 7, 9, 10, 12, 13, 15, 16, 18, 19, 21, 21, 27, 28, 31, 30, 38, 40, 42,
        45, 50, 52, 55, 60, 64, 66, 70, 74, 76, 78, 88, 82, 94, 95, 105, 106, 111, 116, 122,
        127, 137, 142, 144, 145, 155, 156, 166, 171, 174, 177, 192, 197,
    ),
    6: (
        3, 3, 3, 4, 6, 6, 7, 7, 10, 10, 12, 12, 15, 16, 17, 19, 21, 22, 23, 24, 27, 28, 32,
        31, 31, 40, 40, 44, 46, 48, 53, 54, 58, 60, 64, 61, 67, 67, 73, 77, 82, 82, 82, 88,
        95, 99, 99, 99, 105, 112, 114, 126, 131, 132, 136,
    ),
}  # fmt: skip
"""Measured rows for most + 1, most + 2, ... labels; used only to rank layouts."""

Fill = Callable[[int, int], Ints]
"""Rows that cover the pairs of the first number of labels, except those among the last ones, of
which there are the second number."""


@dataclass(frozen=True)
class GroupLayout:
    """Sizes: q of a full group, r of the last group, w of the shared labels."""

    q: int
    r: int
    w: int


def layouts(n: int, most: int) -> list[GroupLayout]:
    """The possible layouts, by the estimated number of rows."""
    return sorted(_possible(n, most), key=lambda one: (_estimate(one, most), one.q, one.w))


def _possible(n: int, most: int) -> Iterator[GroupLayout]:
    for q in range(most - 1, n):
        if min(factors_of(q)) < most - 1:
            continue
        for w in range(SHARED_MOST + 1):
            r = n - w - (most - 1) * q
            if 0 <= r <= q and (w == 0 or q + w <= n // 2):
                yield GroupLayout(q, r, w)


def _estimate(one: GroupLayout, most: int) -> int:
    """The estimated rows of a layout, in thousandths."""
    saved = _size(one.w, most) * SAVED // 1000 if one.w >= most else 0
    full = _size(one.q + one.w, most)
    return 1000 * one.q**2 + (most - 1) * (full - saved) + _size(one.r + one.w, most)


@lru_cache(maxsize=4096)
def _size(n: int, most: int) -> int:
    """The estimated rows of an array of n labels, in thousandths."""
    if n <= most:
        return 1000 * min(n, 1)
    return min(_size_itself(more, most) for more in range(n, n + DELETED_MOST + 1))


@lru_cache(maxsize=4096)
def _size_itself(n: int, most: int) -> int:
    known = SEARCHED.get(most, ())
    if n - most <= len(known):
        return 1000 * known[n - most - 1]
    searched = schoenheim(n, most, 2) * (1000 + OVER)
    if n <= SMALL:
        return searched
    return min((_estimate(one, most) for one in _possible(n, most)), default=searched)


def estimated_rows(n: int, most: int) -> int:
    """The estimated rows of the best layout of n labels."""
    return min((_estimate(one, most) for one in _possible(n, most)), default=0) // 1000


def best_label_count(n: int, most: int) -> int:
    """The number of labels, n or a few more, with the smallest estimated array."""
    return min(range(n, n + DELETED_MOST + 1), key=lambda more: (_size_itself(more, most), more))


def grouped_rows(layout: GroupLayout, most: int, fill: Fill) -> Ints:
    """Rows that cover every pair of the labels of a layout."""
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
