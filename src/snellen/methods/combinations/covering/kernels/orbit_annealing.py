"""Compiled annealing of base rows whose shifts cover every needed set of labels.

A shift is a permutation of the labels. `orbit` is a flat table of n ** size numbers, the same for a
set of labels in any order and for all its shifts; 0 is for sets that are not needed.
"""

from __future__ import annotations

import numpy as np

from snellen.methods.combinations.covering.kernels.greedy_rows import next_choice, put
from snellen.methods.combinations.covering.search.cooling_schedule import STEEPEST
from snellen.methods.combinations.covering.xorshift import below
from snellen.vision.arrays import Bytes, Ints, Ints32, UInts64
from snellen.vision.compilation import compiled

NEVER_MISSED = 1 << 30


@compiled
def orbits_of(need: Bytes, shift: Ints, size: int, n: int) -> tuple[Ints32, int]:
    """The table of orbits, and the number of orbits including 0."""
    orbit = np.full(n**size, -1, np.int32)
    choice = np.arange(size)
    labels = np.empty(size, np.int64)
    total = 1
    while True:
        labels[:] = choice
        number = -1
        while True:
            at = 0
            for i in range(size):
                at = at * n + labels[i]
            if orbit[at] >= 0:
                break
            if number < 0:
                number = total if need[at] else 0
                total += 1 if number else 0
            put(orbit, labels, size, n, number)
            for i in range(size):
                labels[i] = shift[labels[i]]
        if not next_choice(choice, size, n):
            return orbit, total


@compiled
def random_rows(count: int, n: int, most: int, state: UInts64) -> Ints:
    """(count, most) random rows of `most` distinct labels each."""
    pool = np.arange(n)
    rows = np.empty((count, most), np.int64)
    for r in range(count):
        for i in range(most):
            j = i + below(state, n - i)
            pool[i], pool[j] = pool[j], pool[i]
        rows[r] = pool[:most]
    return rows


@compiled
def _swap_pairs(row: Ints, out: int, label: int, n: int, orbit: Ints32, seen: Ints) -> int:
    """The change in uncovered orbits when a label replaces a member; updates `seen`."""
    change = 0
    for i in range(row.size):
        if i != out:
            at = orbit[row[out] * n + row[i]]
            seen[at] -= 1
            change += seen[at] == 0
    for i in range(row.size):
        if i != out:
            at = orbit[label * n + row[i]]
            change -= seen[at] == 0
            seen[at] += 1
    return change


@compiled
def _guess_pairs(row: Ints, out: int, label: int, n: int, orbit: Ints32, seen: Ints) -> int:
    change = 0
    for i in range(row.size):
        if i != out:
            change += seen[orbit[row[out] * n + row[i]]] == 1
            change -= seen[orbit[label * n + row[i]]] == 0
    return change


@compiled
def _swap(row: Ints, out: int, label: int, n: int, orbit: Ints32, seen: Ints, choice: Ints) -> int:
    """Like `_swap_pairs`, for sets of choice.size + 1 labels."""
    change = 0
    for sign in range(2):
        new = label if sign else row[out]
        choice[:] = np.arange(choice.size)
        while True:
            at = new
            for i in range(choice.size):
                c = choice[i]
                at = at * n + row[c if c < out else c + 1]
            o = orbit[at]
            if sign:
                change -= seen[o] == 0
                seen[o] += 1
            else:
                seen[o] -= 1
                change += seen[o] == 0
            if not next_choice(choice, choice.size, row.size - 1):
                break
    return change


@compiled
def _guess_triples(row: Ints, out: int, label: int, n: int, orbit: Ints32, seen: Ints) -> int:
    change = 0
    for i in range(row.size):
        if i == out:
            continue
        old, new = (row[out] * n + row[i]) * n, (label * n + row[i]) * n
        for j in range(i + 1, row.size):
            if j != out:
                change += seen[orbit[old + row[j]]] == 1
                change -= seen[orbit[new + row[j]]] == 0
    return change


@compiled
def _guess(row: Ints, out: int, label: int, n: int, orbit: Ints32, seen: Ints, choice: Ints) -> int:
    change: int = 0
    choice[:] = np.arange(choice.size)
    power: int = n**choice.size
    while True:
        at = 0
        for i in range(choice.size):
            c = choice[i]
            at = at * n + row[c if c < out else c + 1]
        change += seen[orbit[row[out] * power + at]] == 1
        change -= seen[orbit[label * power + at]] == 0
        if not next_choice(choice, choice.size, row.size - 1):
            return change


@compiled
def _count(rows: Ints, n: int, size: int, orbit: Ints32, seen: Ints) -> int:
    """Count the orbits of the rows in `seen`; returns the number of uncovered orbits."""
    choice = np.empty(size, np.int64)
    for r in range(rows.shape[0]):
        choice[:] = np.arange(size)
        while True:
            at = 0
            for i in range(size):
                at = at * n + rows[r, choice[i]]
            seen[orbit[at]] += 1
            if not next_choice(choice, size, rows.shape[1]):
                break
    unseen = 0
    for at in range(seen.size):
        if seen[at] == 0:
            unseen += 1
    return unseen


@compiled
def anneal(
    rows: Ints,
    n: int,
    size: int,
    orbit: Ints32,
    total: int,
    limits: Ints,
    steps: int,
    state: UInts64,
) -> int:
    """The number of uncovered orbits after annealing full rows in place.

    A move replaces one member of one row. Its cost is estimated as if the row covered no orbit
    twice, which is right for all but a few moves; the counts are exact. Each round of `limits` has
    `steps` moves.
    """
    most = rows.shape[1]
    seen = np.zeros(total, np.int64)
    seen[0] = NEVER_MISSED
    cost = _count(rows, n, size, orbit, seen)
    choice = np.empty(size - 1, np.int64)
    for at in range(limits.shape[0]):
        for _ in range(steps):
            if cost == 0:
                return 0
            row = rows[below(state, rows.shape[0])]
            out, label = below(state, most), below(state, n)
            inside = False
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
            if size == 2:
                cost += _swap_pairs(row, out, label, n, orbit, seen)
            else:
                cost += _swap(row, out, label, n, orbit, seen, choice)
            row[out] = label
    return cost
