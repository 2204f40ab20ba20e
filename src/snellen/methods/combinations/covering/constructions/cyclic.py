"""Pairwise coverage by cyclic symmetry: a few base blocks and all their shifts modulo n."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from snellen.methods.combinations.covering.search.cooling_schedule import acceptance
from snellen.methods.combinations.covering.xorshift import xorshift_state
from snellen.vision.arrays import Ints

ROUNDS = 200
HOT, COOL = "0.45", "0.995"


def cyclic_rows(n: int, most: int, fewer_than: int, tries: int, seed: int) -> Ints | None:
    """Fewer than `fewer_than` rows that cover every pair, closed under a shift of the labels."""
    for rows, full, halves, coset in _shapes(n, most):
        if rows >= fewer_than:
            return None
        for attempt in range(tries):
            found = _anneal(n, most, full, halves, coset, seed * 1000 + attempt)
            if found is not None:
                return found
    return None


def _shapes(n: int, most: int) -> Iterator[tuple[int, int, int, bool]]:
    """(rows, full orbits, half orbits, whether cosets of the subgroup are used), few rows first."""
    shapes = []
    gain = most * (most - 1) // 2
    even = n % 2 == 0 and most % 2 == 0
    for full in range(n // (2 * gain) + 3):
        for halves in range(3 if even else 1):
            for coset in (False, True) if n % most == 0 else (False,):
                shown = full * gain + halves * (gain // 2) + coset * (most // 2)
                if shown >= n // 2:
                    rows = full * n + halves * n // 2 + coset * n // most
                    shapes.append((rows, full, halves, coset))
    yield from sorted(shapes)


def _anneal(n: int, most: int, full: int, halves: int, coset: bool, salt: int) -> Ints | None:
    from snellen.methods.combinations.covering.kernels.difference_annealing import (
        anneal_differences,
    )
    from snellen.methods.combinations.covering.kernels.orbit_annealing import random_rows

    state = xorshift_state(salt, n)
    blocks = random_rows(full + halves, n, most, state)
    if halves:
        blocks[:halves, most // 2 :] = (blocks[:halves, : most // 2] + n // 2) % n
    seen = np.zeros(n // 2 + 1, np.int64)
    subgroup = np.arange(0, n, n // most)[:most]
    if coset:
        seen[np.minimum(subgroup, n - subgroup)] = 1
    steps = 1000 * len(blocks) * most
    limits = acceptance(HOT, COOL, ROUNDS)
    if anneal_differences(blocks, halves, n, seen, limits, steps, state):
        return None
    parts = [_all_shifts(block, n, n // 2 if b < halves else n) for b, block in enumerate(blocks)]
    if coset:
        parts.append(_all_shifts(subgroup, n, n // most))
    return np.concatenate(parts)


def _all_shifts(block: Ints, n: int, shifts: int) -> Ints:
    rows = np.sort((block[None, :] + np.arange(shifts)[:, None]) % n, axis=1)
    repeated = np.zeros(rows.shape, bool)
    repeated[:, 1:] = rows[:, 1:] == rows[:, :-1]
    rows[repeated] = n
    rows.sort(axis=1)
    return np.where(rows == n, -1, rows)
