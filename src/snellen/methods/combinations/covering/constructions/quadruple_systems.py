"""Triples in rows of four: Steiner quadruple systems, which exist for n = 2 or 4 modulo 6.

H. Hanani (On quadruple systems, Canadian Journal of Mathematics 12, 1960) builds them from smaller
ones in six ways, of which five are here: 2 n, 3 n - 2, 3 n - 4, 3 n - 8 and 4 n - 6. Base rows on
14 and 38 labels stand for the sixth, 12 n - 10, so that 86 is the first number without a system.
"""

from __future__ import annotations

from itertools import combinations

import numpy as np

from snellen.methods.combinations.covering.constructions.one_factors import (
    factors_without,
    near_factors,
    one_factors,
)
from snellen.vision.arrays import Ints

ON_TEN = ((0, 1, 3, 4), (0, 1, 2, 6), (0, 2, 4, 7))
"""Base rows whose shifts modulo 10 are the system of order 10."""
ON_FOURTEEN = ((0, 1, 2, 4), (0, 1, 5, 9), (0, 8, 9, 11), (7, 8, 9, 12), (0, 1, 7, 8),
               (0, 1, 10, 11), (0, 1, 12, 13))  # fmt: skip
"""Base rows of order 14: shifts modulo 7 of both halves, and multiples by 2."""
ON_THIRTY_EIGHT = ((0, 1, 4, 11), (0, 1, 27, 37), (0, 2, 17, 31), (0, 2, 22, 37), (0, 1, 3, 9),
                   (0, 1, 8, 30), (0, 1, 5, 31), (0, 1, 2, 7), (0, 1, 14, 23))  # fmt: skip
"""Base rows of order 38: shifts modulo 37 and multiples by 7, with label 37 fixed."""


def quadruple_system(n: int) -> Ints | None:
    """Rows of four that contain each triple of n labels once, or None where none is known here."""
    if n in (4, 10, 14, 38):
        return _base_system(n)
    if n < 4 or n % 6 not in (2, 4):
        return None
    for applies, smaller, build in (
        (n % 4 == 0, n // 2, _double),
        (n % 18 in (4, 10), (n + 2) // 3, _triple),
        (n % 36 == 26, (n + 4) // 3, _triple_around_2),
        (n % 36 == 34, (n + 8) // 3, _triple_around_4),
        (n % 24 in (2, 10), (n + 6) // 4, _quadruple),
    ):
        rows = quadruple_system(smaller) if applies else None
        if rows is not None:
            return build(rows, smaller)
    return None


def _base_system(n: int) -> Ints:
    if n == 4:
        return np.arange(4)[None]
    if n == 10:
        shifts = (np.array(ON_TEN)[:, None] + np.arange(10)[None, :, None]) % 10
        return np.sort(shifts.reshape(-1, 4), axis=1)
    base = np.array(ON_FOURTEEN if n == 14 else ON_THIRTY_EIGHT)
    around, factor = (7, 2) if n == 14 else (37, 7)
    start = np.where(base < around, 0, around)
    parts, power = [], 1
    for _ in range(around - 1):
        for shift in range(around):
            moved = (base * power + shift - start * power) % around + start
            parts.append(np.where(base == 37, 37, moved))
        power = power * factor % around
        if power == 1:
            break
    return np.unique(np.sort(np.concatenate(parts), axis=1), axis=0)


def _double(rows: Ints, n: int) -> Ints:
    parts = [rows, rows + n]
    parts += [_joined(factor, factor + n) for factor in one_factors(n)]
    return np.concatenate(parts)


def _joined(left: Ints, right: Ints) -> Ints:
    """Every pair on the left with every pair on the right."""
    return np.concatenate(
        [np.repeat(left, len(right), axis=0), np.tile(right, (len(left), 1))], axis=1
    )


def _triple(rows: Ints, n: int) -> Ints:
    """Three copies of all labels but the last, which they share: order 3 n - 2."""
    m = n - 1
    third = m * np.arange(3)
    parts = []
    ends = _last(rows, m)
    others = rows[(rows != m).all(axis=1)]
    for a, b, c in np.ndindex(3, 3, 3):
        parts.append(others + third[[a, b, c, -(a + b + c) % 3]])
    for a, b in np.ndindex(3, 3):
        x, y, z = (ends[:, i] + third[at] for i, at in enumerate((a, b, -(a + b) % 3)))
        parts.append(np.stack([x, y, z, np.full(len(ends), 3 * m)], axis=1))
    for i in range(3):
        here, on, back = third[[i, (i + 1) % 3, (i + 2) % 3]]
        for x, y, z in ((0, 1, 2), (0, 2, 1), (1, 2, 0)):
            same, odd = ends[:, [x, y]] + here, ends[:, z]
            parts.append(np.column_stack([same, odd + on, odd + back]))
        pairs = np.array(list(combinations(range(m), 2)))
        parts.append(np.concatenate([pairs + here, pairs + on], axis=1))
    each = np.arange(m)
    parts.append(np.stack([each, each + m, each + 2 * m, np.full(m, 3 * m)], axis=1))
    return np.sort(np.concatenate(parts), axis=1)


def _last(rows: Ints, label: int) -> Ints:
    """The other three labels of the rows with a label."""
    mine = rows[(rows == label).any(axis=1)]
    others: Ints = mine[mine != label]
    return others.reshape(-1, 3)


def _triple_around_2(rows: Ints, n: int) -> Ints:
    """Three copies of all labels but two, which they share: order 3 n - 4, n = 10 modulo 12."""
    return _triple_around(rows, n, 2)


def _triple_around_4(rows: Ints, n: int) -> Ints:
    """Three copies of all labels but a row of four: order 3 n - 8, n = 2 modulo 12."""
    order = np.empty(n, np.int64)
    order[np.setdiff1d(np.arange(n), rows[0])] = np.arange(n - 4)
    order[rows[0]] = np.arange(n - 4, n)
    return _triple_around(order[rows], n, 4)


def _triple_around(rows: Ints, n: int, shared: int) -> Ints:
    """Three copies of the first m labels, of which labels x, y, z have the sum x + y + z modulo m.

    If the sum is that of a shared label, the row of x, y, z has it. Otherwise the row has a second
    label of one copy, at an odd difference below m / 3. Pairs of a copy at any other difference are
    joined, factor by factor, with those of the next copy.
    """
    m, third = n - shared, (n - shared - shared) // 3
    parts = []
    inner = rows[(rows < m).any(axis=1)]
    parts += [np.where(inner < m, inner + copy * m, inner + 2 * m) for copy in range(3)]
    parts.append(rows[(rows >= m).all(axis=1)] + 2 * m)
    x, y = (one.reshape(-1) for one in np.meshgrid(np.arange(m), np.arange(m), indexing="ij"))
    for one in range(shared):
        z = (-one - x - y) % m
        parts.append(np.stack([x, y + m, z + 2 * m, np.full(m * m, 3 * m + one)], axis=1))
    factors = factors_without(m, third - 1)
    for copy in range(3):
        here, on, back = copy * m, (copy + 1) % 3 * m, (copy + 2) % 3 * m
        for d in range(third // 2):
            low = (x + third // 2 + copy * third - d) % m
            high = (x + third // 2 + 1 + copy * third + d) % m
            parts.append(np.stack([low + here, high + here, y + on, (-x - y) % m + back], axis=1))
        parts += [_joined(factor + here, factor + on) for factor in factors]
    return np.sort(np.concatenate(parts), axis=1)


def _quadruple(rows: Ints, n: int) -> Ints:
    """Four copies (h, i) of all labels but two, which they share: order 4 n - 6."""
    m, k = n - 2, (n - 2) // 2
    parts = [np.where(rows < m, rows + copy * m, rows + 3 * m) for copy in range(4)]
    c, d = (one.reshape(-1) for one in np.meshgrid(np.arange(k), np.arange(k), indexing="ij"))
    near, whole = near_factors(m)
    for h, e in np.ndindex(2, 2):
        zero, one = 2 * h * m, (2 * h + 1) * m
        across, other = (2 * (1 - h) + e) * m, (2 * (1 - h) + 1 - e) * m
        for odd in range(2):
            x, y = 2 * c + odd + zero, (2 * d - odd - e) % m + one
            total = -(c + d) % k
            for shared in range(2):
                z = 2 * total + (shared + odd + h) % 2 + across
                parts.append(np.stack([x, y, z, np.full(k * k, 4 * m + shared)], axis=1))
            for pairs, at in ((near, across), (whole, other)):
                table = np.array(pairs)[total] + at
                xy = np.repeat(np.stack([x, y], axis=1)[:, None], table.shape[1], axis=1)
                parts.append(np.concatenate([xy, table], axis=2).reshape(-1, 4))
        if e == 0:
            parts += [_joined(factor + zero, factor + one) for factor in one_factors(m)]
    return np.sort(np.concatenate(parts), axis=1)
