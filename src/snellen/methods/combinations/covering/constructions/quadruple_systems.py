"""Triples in rows of four: Steiner quadruple systems by doubling."""

from __future__ import annotations

import numpy as np

from snellen.vision.arrays import Ints

ON_TEN = ((0, 1, 3, 4), (0, 1, 2, 6), (0, 2, 4, 7))
"""Base blocks whose shifts modulo 10 are the Steiner quadruple system of order 10."""


def quadruple_system(n: int) -> Ints | None:
    """Rows of four that cover each triple of n labels once, for n = 4, 10 and their doublings."""
    if n == 4:
        return np.arange(4)[None]
    if n == 10:
        shifts = (np.array(ON_TEN)[:, None] + np.arange(10)[None, :, None]) % 10
        return np.sort(shifts.reshape(-1, 4), axis=1)
    half = quadruple_system(n // 2) if n % 4 == 0 and n > 4 else None
    return None if half is None else _double(half, n // 2)


def _double(rows: Ints, n: int) -> Ints:
    parts = [rows, rows + n]
    for factor in _factors(n):
        left = np.repeat(factor, len(factor), axis=0)
        right = np.tile(factor, (len(factor), 1)) + n
        parts.append(np.concatenate([left, right], axis=1))
    return np.concatenate(parts)


def _factors(n: int) -> list[Ints]:
    """A one-factorisation: the pairs of n labels (n even) as n - 1 sets of disjoint pairs."""
    found = []
    for turn in range(n - 1):
        pairs = [(turn, n - 1)]
        pairs += [((turn + i) % (n - 1), (turn - i) % (n - 1)) for i in range(1, n // 2)]
        found.append(np.sort(np.array(pairs), axis=1))
    return found
