"""Compiled annealing of rows under constraints, beside rows that stay as they are.

The last of the n labels stands for an empty place, and may occur several times in a row.
"""

from __future__ import annotations

import numpy as np

from snellen.methods.combinations.covering.kernels.orbit_annealing import (
    _guess,
    _guess_pairs,
    _guess_triples,
    _swap,
    _swap_pairs,
)
from snellen.methods.combinations.covering.search.cooling_schedule import STEEPEST
from snellen.methods.combinations.covering.xorshift import below
from snellen.vision.arrays import Bytes, Ints, Ints32, UInts64
from snellen.vision.compilation import compiled

APART, NEEDS = 1, 2
"""In a table of two labels: they must not be together; the first must not be without the second."""


@compiled
def _fits(
    row: Ints,
    out: int,
    label: int,
    n: int,
    between: Bytes,
    needs: Ints,
    sets: Ints,
    first: Ints,
    of_label: Ints,
) -> bool:
    """Whether a row without the member at `out` may have this label in its place."""
    old, found = row[out], 0
    for i in range(row.size):
        if i != out:
            other = row[i]
            if between[label * n + other] == APART or (
                between[other * n + old] == NEEDS and other != label
            ):
                return False
            found += between[label * n + other] == NEEDS
    if found < needs[label]:
        return False
    for at in range(first[label], first[label + 1]):
        whole = True
        for j in range(sets.shape[1]):
            wanted = sets[of_label[at], j]
            if wanted < 0 or wanted == label:
                continue
            there = False
            for i in range(row.size):
                there |= i != out and row[i] == wanted
            if not there:
                whole = False
                break
        if whole:
            return False
    return True


@compiled
def anneal_allowed(
    rows: Ints,
    n: int,
    size: int,
    orbit: Ints32,
    seen: Ints,
    cost: int,
    between: Bytes,
    needs: Ints,
    sets: Ints,
    first: Ints,
    of_label: Ints,
    limits: Ints,
    steps: int,
    state: UInts64,
) -> int:
    """The number of uncovered sets after annealing allowed rows in place.

    `orbit`: the number of each set of `size` labels, 0 where it need not be covered. `seen`: how
    many rows, these and others, cover each; `cost`: how many sets none covers. `between`: (n * n,)
    what constrains two labels. `needs`: how many labels each must not be without. `sets`, `first`,
    `of_label`: larger forbidden sets, by label. A move gives one member of one row another label,
    if the row is allowed with it.
    """
    most = rows.shape[1]
    empty = n - 1
    choice = np.empty(size - 1, np.int64)
    for at in range(limits.shape[0]):
        for _ in range(steps):
            if cost == 0:
                return 0
            row = rows[below(state, rows.shape[0])]
            out, label = below(state, most), below(state, n)
            inside = row[out] == label
            if label != empty:
                for i in range(most):
                    inside |= row[i] == label
            if inside:
                continue
            if size == 2:
                loss = _guess_pairs(row, out, label, n, orbit, seen)
            elif size == 3:
                loss = _guess_triples(row, out, label, n, orbit, seen)
            else:
                loss = _guess(row, out, label, n, orbit, seen, choice)
            if loss > 0 and (loss >= STEEPEST or below(state, 4294967295) >= limits[at, loss]):
                continue
            if not _fits(row, out, label, n, between, needs, sets, first, of_label):
                continue
            if size == 2:
                cost += _swap_pairs(row, out, label, n, orbit, seen)
            else:
                cost += _swap(row, out, label, n, orbit, seen, choice)
            row[out] = label
    return cost
