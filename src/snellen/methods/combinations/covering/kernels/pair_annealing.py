"""Compiled annealing of rows that cover every needed pair of at most 64 labels.

For each label, the partners it has not met and those it has met once are stored as bits of a word:
the cost of a move is two bit counts, whatever the length of the rows.
"""

from __future__ import annotations

import numpy as np

from snellen.methods.combinations.covering.search.cooling_schedule import STEEPEST
from snellen.methods.combinations.covering.xorshift import below
from snellen.vision.arrays import Bytes, Ints, UInts64
from snellen.vision.compilation import compiled

LABELS_MOST = 64


@compiled
def _met(a: int, b: int, by: int, seen: Ints, unmet: UInts64, once: UInts64) -> None:
    """Count that two labels meet in one more row (1) or one fewer (-1)."""
    seen[a, b] += by
    seen[b, a] += by
    for one, other in ((a, b), (b, a)):
        bit = np.uint64(1) << np.uint64(other)
        unmet[one] &= ~bit
        once[one] &= ~bit
        if seen[a, b] == 0:
            unmet[one] |= bit
        elif seen[a, b] == 1:
            once[one] |= bit


@compiled
def _unseen(rows: Ints, need: Bytes, seen: Ints, unmet: UInts64, once: UInts64) -> int:
    """Count the pairs of all rows; returns the number of needed pairs that no row covers."""
    n: int = seen.shape[0]
    # Literals have their own types, for each of which numba would compile again.
    never, comes = (1 << 30) + 0 * n, 1 + 0 * n
    missing: int = 0
    for a in range(n):
        for b in range(a + 1, n):
            if need[a * n + b]:
                missing += 1
                _met(a, b, 0 * n, seen, unmet, once)
            else:
                _met(a, b, never, seen, unmet, once)
    for r in range(rows.shape[0]):
        for i in range(rows.shape[1]):
            for j in range(i + 1, rows.shape[1]):
                missing -= 1 if seen[rows[r, i], rows[r, j]] == 0 else 0
                _met(rows[r, i], rows[r, j], comes, seen, unmet, once)
    return missing


@compiled
def anneal_pairs(rows: Ints, n: int, need: Bytes, limits: Ints, steps: int, state: UInts64) -> int:
    """The number of uncovered needed pairs after annealing full rows in place.

    need: a table of n * n bytes. Moves and result are those of `orbit_annealing.anneal` with each
    set of labels as its own orbit.
    """
    total, most = rows.shape
    comes, goes = 1 + 0 * n, -1 + 0 * n
    seen = np.zeros((n, n), np.int64)
    unmet, once = np.zeros(n, np.uint64), np.zeros(n, np.uint64)
    cost = _unseen(rows, need, seen, unmet, once)
    members = np.zeros(total, np.uint64)
    unit = np.uint64(1)
    for r in range(total):
        for i in range(most):
            members[r] |= unit << np.uint64(rows[r, i])
    for at in range(limits.shape[0]):
        for _ in range(steps):
            if cost == 0:
                return 0
            r = below(state, total)
            out, label = below(state, most), below(state, n)
            bit = unit << np.uint64(label)
            if members[r] & bit:
                continue
            old = rows[r, out]
            others = members[r] & ~(unit << np.uint64(old))
            loss = 0
            alone, new = once[old] & others, unmet[label] & others
            while alone:
                alone &= alone - unit
                loss += 1
            while new:
                new &= new - unit
                loss -= 1
            if loss > 0 and (loss >= STEEPEST or below(state, 4294967295) >= limits[at, loss]):
                continue
            for i in range(most):
                if i != out:
                    _met(old, rows[r, i], goes, seen, unmet, once)
                    _met(label, rows[r, i], comes, seen, unmet, once)
            cost += loss
            rows[r, out] = label
            members[r] = others | bit
    return cost
