"""Compiled: simulated annealing at a fixed number of rows."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from snellen.methods.combinations.covering.dice import Dice, below
from snellen.methods.combinations.covering.greedy_kernels import next_choice
from snellen.vision.compiled import compiled

Ints = NDArray[np.int64]


@compiled
def _rank(labels: Ints, size: int, n: int) -> int:
    """The index of a set whose labels are ascending."""
    at = 0
    for i in range(size):
        at = at * n + labels[i]
    return at


@compiled
def _with(row: Ints, skip: int, label: int, choice: Ints, size: int, n: int) -> int:
    """The index of the set of `label` and the chosen members; the member `skip` is left out."""
    at, placed = 0, False
    for i in range(size - 1):
        c = choice[i]
        member = row[c if c < skip else c + 1]
        if not placed and label < member:
            at = at * n + label
            placed = True
        at = at * n + member
    return at if placed else at * n + label


@compiled
def anneal_ones(
    rows: Ints,
    n: int,
    size: int,
    need: NDArray[np.uint8],
    hot: float,
    cool: float,
    steps: int,
    rounds: int,
    dice: Dice,
) -> int:
    """How many needed sets are still unseen after annealing full rows in place.

    Rows have ascending members, none missing. A move replaces one member of one row.
    """
    total, most = rows.shape
    seen = np.zeros(need.size, np.int32)
    choice = np.empty(size, np.int64)
    labels = np.empty(size, np.int64)
    for r in range(total):
        choice[:] = np.arange(size)
        while True:
            for i in range(size):
                labels[i] = rows[r, choice[i]]
            seen[_rank(labels, size, n)] += 1
            if not next_choice(choice, size, most):
                break
    cost = 0
    choice[:] = np.arange(size)
    while True:
        at = _rank(choice, size, n)
        if need[at] and seen[at] == 0:
            cost += 1
        if not next_choice(choice, size, n):
            break
    heat = hot
    limits = np.empty(64, np.int64)
    for _ in range(rounds):
        for d in range(64):
            limits[d] = np.int64(4294967296.0 * np.exp(-d / heat))
        for _ in range(steps):
            if cost == 0:
                return 0
            r = below(dice, total)
            row = rows[r]
            out = below(dice, most)
            label = below(dice, n)
            inside = False
            for i in range(most):
                if row[i] == label:
                    inside = True
            if inside:
                continue
            delta = 0
            old = row[out]
            for i in range(size - 1):
                choice[i] = i
            while True:
                gone = _with(row, out, old, choice, size, n)
                if need[gone] and seen[gone] == 1:
                    delta += 1
                come = _with(row, out, label, choice, size, n)
                if need[come] and seen[come] == 0:
                    delta -= 1
                if not next_choice(choice, size - 1, most - 1):
                    break
            if delta > 0 and (delta >= 64 or below(dice, 4294967295) >= limits[delta]):
                continue
            for i in range(size - 1):
                choice[i] = i
            while True:
                seen[_with(row, out, old, choice, size, n)] -= 1
                seen[_with(row, out, label, choice, size, n)] += 1
                if not next_choice(choice, size - 1, most - 1):
                    break
            cost += delta
            i = out
            while i > 0 and row[i - 1] > label:
                row[i] = row[i - 1]
                i -= 1
            while i < most - 1 and row[i + 1] < label:
                row[i] = row[i + 1]
                i += 1
            row[i] = label
        heat *= cool
    return cost


@compiled
def _recount(
    row: NDArray[np.uint8], x: int, value: int, n: int, size: int, most: int, seen: Ints, sign: int
) -> int:
    """The change of unseen combinations when the row, with `value` at x, comes (1) or goes (-1)."""
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
def anneal_values(
    rows: NDArray[np.uint8],
    size: int,
    most: int,
    hot: float,
    cool: float,
    steps: int,
    rounds: int,
    dice: Dice,
) -> int:
    """How many combinations of values are unseen after annealing 0/1 rows in place.

    A move flips one value, or moves a one, in one row; no row gets more than `most` ones.
    """
    total, n = rows.shape
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
        weight[r] = rows[r].sum()
    heat = hot
    for _ in range(rounds):
        for _ in range(steps):
            if cost == 0:
                return 0
            r = below(dice, total)
            row = rows[r]
            x = below(dice, n)
            y = -1
            if row[x] == 0 and (weight[r] == most or below(dice, 4) > 0):
                y = below(dice, n)
                if row[y] == 0:
                    if weight[r] == most:
                        continue
                    y = -1
            was = row[x]
            delta = _recount(row, x, was, n, size, most, seen, -1)
            row[x] = 1 - was
            delta += _recount(row, x, 1 - was, n, size, most, seen, 1)
            if y >= 0:
                delta += _recount(row, y, 1, n, size, most, seen, -1)
                row[y] = 0
                delta += _recount(row, y, 0, n, size, most, seen, 1)
            limit = np.int64(4294967296.0 * np.exp(-delta / heat)) if delta > 0 else 4294967296
            if delta > 0 and below(dice, 4294967295) >= limit:
                if y >= 0:
                    _recount(row, y, 0, n, size, most, seen, -1)
                    row[y] = 1
                    _recount(row, y, 1, n, size, most, seen, 1)
                _recount(row, x, 1 - was, n, size, most, seen, -1)
                row[x] = was
                _recount(row, x, was, n, size, most, seen, 1)
                continue
            cost += delta
            weight[r] += (1 if was == 0 else -1) - (1 if y >= 0 else 0)
        heat *= cool
    return cost
