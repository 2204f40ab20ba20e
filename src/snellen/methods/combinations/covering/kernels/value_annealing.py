"""Compiled annealing of 0/1 rows that cover every combination of values, zeros included."""

from __future__ import annotations

import numpy as np

from snellen.methods.combinations.covering.kernels.greedy_rows import next_choice
from snellen.methods.combinations.covering.search.cooling_schedule import STEEPEST
from snellen.methods.combinations.covering.xorshift import below
from snellen.vision.arrays import Bytes, Ints, UInts64
from snellen.vision.compilation import compiled


@compiled
def _rank(labels: Ints, size: int, n: int) -> int:
    """The index of a set of ascending labels."""
    at = 0
    for i in range(size):
        at = at * n + labels[i]
    return at


@compiled
def _recount(
    row: Bytes, x: int, value: int, n: int, size: int, most: int, seen: Ints, sign: int
) -> int:
    """The change in uncovered combinations when the row with `value` at x is added or removed.

    sign: 1 to add, -1 to remove.
    """
    change = 0
    if size == 2:
        for c in range(n):
            if c == x or value + row[c] > most:
                continue
            at = (min(c, x) * n + max(c, x)) * 4
            at += 2 * value + row[c] if x < c else 2 * row[c] + value
            if sign > 0:
                change -= seen[at] == 0
                seen[at] += 1
            else:
                seen[at] -= 1
                change += seen[at] == 0
        return change
    others = np.arange(size - 1)
    while True:
        at, code, ones, placed = 0, 0, 0, False
        for i in range(size):
            if not placed and (i == size - 1 or others[i] >= x):
                column, bit, placed = x, value, True
            else:
                c = others[i - 1] if placed else others[i]
                column = c + 1 if c >= x else c
                bit = row[column]
            at = at * n + column
            code = code * 2 + bit
            ones += bit
        if ones <= most:
            slot = (at << size) + code
            seen[slot] += sign
            if sign > 0 and seen[slot] == 1:
                change -= 1
            elif sign < 0 and seen[slot] == 0:
                change += 1
        if not next_choice(others, size - 1, n - 1):
            return change


@compiled
def _guess(row: Bytes, x: int, y: int, n: int, most: int, seen: Ints) -> int:
    """The change in uncovered pairs of values if the row is flipped at x, and at y unless -1.

    Added and removed pairs are disjoint, so that each can be evaluated on its own.
    """
    change = 0
    for k in range(2 if y >= 0 else 1):
        at = y if k else x
        was = row[at]
        for c in range(n):
            if c == at or (k and c == x):
                continue
            value, new = row[c], 1 - row[c] if c == y else row[c]
            low, high = min(c, at), max(c, at)
            slot = (low * n + high) * 4
            if was + value <= most:
                change += seen[slot + (2 * was + value if at < c else 2 * value + was)] == 1
            if 1 - was + new <= most:
                now = 2 * (1 - was) + new if at < c else 2 * new + 1 - was
                change -= seen[slot + now] == 0
    return change


@compiled
def anneal_values(
    rows: Bytes,
    size: int,
    most: int,
    limits: Ints,
    steps: int,
    state: UInts64,
) -> int:
    """The number of uncovered combinations of values after annealing 0/1 rows in place.

    A move flips one value or moves a one within a row; no row gets more than `most` ones.
    """
    total, n = rows.shape
    # Literals have their own types, for each of which numba would compile again.
    fixed = np.array([0, 1, -1])
    none, one, comes, goes = fixed[0], fixed[1], fixed[1], fixed[2]
    seen = np.zeros((n**size) << size, np.int64)
    weight = np.zeros(total, np.int64)
    cost = 0
    choice = np.arange(size)
    while True:
        at = _rank(choice, size, n)
        for code in range(1 << size):
            ones = 0
            for i in range(size):
                ones += (code >> i) & 1
            if ones <= most:
                cost += 1
        for r in range(total):
            code = 0
            for i in range(size):
                code = code * 2 + rows[r, choice[i]]
            slot = (at << size) + code
            if seen[slot] == 0:
                cost -= 1
            seen[slot] += 1
        if not next_choice(choice, size, n):
            break
    for r in range(total):
        for i in range(n):
            weight[r] += rows[r, i]
    for at in range(limits.shape[0]):
        for _ in range(steps):
            if cost == 0:
                return 0
            r = below(state, total)
            row = rows[r]
            x = below(state, n)
            y = -1
            if row[x] == 0 and (weight[r] == most or below(state, 4) > 0):
                y = below(state, n)
                if row[y] == 0:
                    if weight[r] == most:
                        continue
                    y = -1
            if size == 2:
                loss = _guess(row, x, y, n, most, seen)
                if loss > 0 and (loss >= STEEPEST or below(state, 4294967295) >= limits[at, loss]):
                    continue
            was = fixed[row[x]]
            delta = _recount(row, x, was, n, size, most, seen, goes)
            row[x] = 1 - was
            delta += _recount(row, x, 1 - was, n, size, most, seen, comes)
            if y >= 0:
                delta += _recount(row, y, one, n, size, most, seen, goes)
                row[y] = 0
                delta += _recount(row, y, none, n, size, most, seen, comes)
            if (
                size > 2
                and delta > 0
                and (delta >= STEEPEST or below(state, 4294967295) >= limits[at, delta])
            ):
                if y >= 0:
                    _recount(row, y, none, n, size, most, seen, goes)
                    row[y] = 1
                    _recount(row, y, one, n, size, most, seen, comes)
                _recount(row, x, 1 - was, n, size, most, seen, goes)
                row[x] = was
                _recount(row, x, was, n, size, most, seen, comes)
                continue
            cost += delta
            weight[r] += (1 if was == 0 else -1) - (1 if y >= 0 else 0)
    return cost
