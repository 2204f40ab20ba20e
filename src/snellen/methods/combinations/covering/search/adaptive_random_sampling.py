"""Adaptive random sampling as published for LV-CIT, for comparison.

Plain numpy, like the plain Python of its authors: one row at a time, with all pairs of labels of a
row at once. `compiled` gives the same rows by compiled loops, to separate the effect of compilation
from that of the algorithm.
"""

from __future__ import annotations

import numpy as np

from snellen.errors import UserError
from snellen.methods.combinations.covering.problem import Problem
from snellen.methods.combinations.covering.xorshift import below, xorshift_state
from snellen.vision.arrays import Bools, Bytes, Ints, UInts64

FRUITLESS = 1000


def adaptive_random_rows(problem: Problem, seed: int, compiled: bool = False) -> Bools:
    """Rows of the published algorithm: strength 2 and no constraints, as in the paper."""
    if problem.strength != 2 or problem.forbidden or len(problem.demands) > 1:
        raise UserError(
            "method: 'as-published' supports only strength 2 without constraints. "
            "Omit the method to use Snellen's."
        )
    if compiled:
        from snellen.methods.combinations.covering.kernels.row_sampling import needed, sampled
    else:
        needed, sampled = _needed, _sampled
    rows = sampled(len(problem.names), problem.most, xorshift_state(seed))
    rows = rows[np.lexsort((*rows.T[::-1], rows.sum(axis=1)))]
    kept: Bools = rows[needed(rows)].astype(bool)
    return kept


def _codes(row: Bytes, first: Ints, second: Ints) -> Ints:
    """The index of the values of each pair of labels in a row, with four indices per pair."""
    return np.arange(first.size) * 4 + 2 * row[first] + row[second]


def _sampled(n: int, most: int, state: UInts64) -> Bytes:
    """Random rows that favour the least used labels, until all pairs of values are covered."""
    first, second = np.triu_indices(n, 1)
    seen = np.zeros(first.size * 4, bool)
    wanted = first.size * (4 if most >= 2 else 3)
    rows: list[Bytes] = []
    used = np.zeros(n, np.int64)
    fruitless = 0
    while wanted > 0:
        row = _random_row(used, most, fruitless < FRUITLESS, state)
        codes = _codes(row, first, second)
        fresh = codes.size - int(seen[codes].sum())
        fruitless = 0 if fresh else fruitless + 1
        if fresh:
            seen[codes] = True
            wanted -= fresh
            rows.append(row)
            used += row
    return np.array(rows)


def _random_row(used: Ints, most: int, adapting: bool, state: UInts64) -> Bytes:
    """One random row; while adapting, half of its labels are from the least used ones."""
    n = used.size
    ones = below(state, most) + 1
    rare = below(state, n // 2 + 1) if adapting else 0
    order = np.argsort(used, kind="stable").tolist()
    few = max(min((ones + 1) // 2, rare), ones - (n - rare))
    row = np.zeros(n, np.uint8)
    row[_sample(order[:rare], few, state) + _sample(order[rare:], ones - few, state)] = 1
    return row


def _sample(pool: list[int], count: int, state: UInts64) -> list[int]:
    for i in range(count):
        j = i + below(state, len(pool) - i)
        pool[i], pool[j] = pool[j], pool[i]
    return pool[:count]


def _needed(rows: Bytes) -> Bools:
    """Which rows remain when redundant ones are deleted from the last to the first."""
    first, second = np.triu_indices(rows.shape[1], 1)
    count = np.zeros(first.size * 4, np.int64)
    for row in rows:
        count[_codes(row, first, second)] += 1
    keep = np.ones(len(rows), bool)
    for at in range(len(rows) - 1, -1, -1):
        codes = _codes(rows[at], first, second)
        if (count[codes] > 1).all():
            keep[at] = False
            count[codes] -= 1
    return keep
