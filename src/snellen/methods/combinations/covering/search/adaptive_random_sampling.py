"""Adaptive random sampling as published for LV-CIT, to compare with.

Plain numpy, as its authors' program is plain Python: a row at a time, and for each row all pairs of
labels at once. It is the peer that a reader of the paper would run; `compiled` gives the same rows
by compiled loops, so that a comparison can tell how much is due to compilation alone.
"""

from __future__ import annotations

import numpy as np

from snellen.errors import UserError
from snellen.methods.combinations.covering.problem import Problem
from snellen.methods.combinations.covering.xorshift import below, dice_of
from snellen.vision.arrays import Bools, Bytes, Ints, UInts64

FRUITLESS = 1000


def adaptive_random_rows(problem: Problem, seed: int, compiled: bool = False) -> Bools:
    """Rows of the published algorithm: strength 2 and no constraints, as in the paper."""
    if problem.strength != 2 or problem.forbidden or len(problem.demands) > 1:
        raise UserError(
            "method: 'as-published' knows strength 2 without constraints only. "
            "Leave the method out to use Snellen's."
        )
    if compiled:
        from snellen.methods.combinations.covering.kernels.row_sampling import needed, sampled
    else:
        needed, sampled = _needed, _sampled
    rows = sampled(len(problem.names), problem.most, dice_of(seed))
    rows = rows[np.lexsort((*rows.T[::-1], rows.sum(axis=1)))]
    kept: Bools = rows[needed(rows)].astype(bool)
    return kept


def _codes(row: Bytes, first: Ints, second: Ints) -> Ints:
    """The place of the values that a row shows of each pair of labels, four places a pair."""
    return np.arange(first.size) * 4 + 2 * row[first] + row[second]


def _sampled(n: int, most: int, dice: UInts64) -> Bytes:
    """Random rows that favour labels used least, until all pairs of values are shown."""
    first, second = np.triu_indices(n, 1)
    seen = np.zeros(first.size * 4, bool)
    wanted = first.size * (4 if most >= 2 else 3)
    rows: list[Bytes] = []
    used = np.zeros(n, np.int64)
    fruitless = 0
    while wanted > 0:
        row = _drawn(used, most, fruitless < FRUITLESS, dice)
        codes = _codes(row, first, second)
        fresh = codes.size - int(seen[codes].sum())
        fruitless = 0 if fresh else fruitless + 1
        if fresh:
            seen[codes] = True
            wanted -= fresh
            rows.append(row)
            used += row
    return np.array(rows)


def _drawn(used: Ints, most: int, adapting: bool, dice: UInts64) -> Bytes:
    """One random row: half of its labels from some of those used least, while adapting."""
    n = used.size
    ones = below(dice, most) + 1
    rare = below(dice, n // 2 + 1) if adapting else 0
    order = np.argsort(used, kind="stable").tolist()
    few = max(min((ones + 1) // 2, rare), ones - (n - rare))
    row = np.zeros(n, np.uint8)
    row[_sample(order[:rare], few, dice) + _sample(order[rare:], ones - few, dice)] = 1
    return row


def _sample(pool: list[int], count: int, dice: UInts64) -> list[int]:
    for i in range(count):
        j = i + below(dice, len(pool) - i)
        pool[i], pool[j] = pool[j], pool[i]
    return pool[:count]


def _needed(rows: Bytes) -> Bools:
    """Which rows stay when, from the last to the first, those that add nothing are deleted."""
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
