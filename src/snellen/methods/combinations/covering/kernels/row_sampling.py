"""Compiled form of the published sampling of rows and deletion of redundant ones."""

from __future__ import annotations

import numpy as np

from snellen.methods.combinations.covering.xorshift import below
from snellen.vision.arrays import Bools, Bytes, Ints, UInts64
from snellen.vision.compilation import compiled

FRUITLESS = 1000


@compiled
def _draw(row: Bytes, pool: Ints, wanted: int, state: UInts64) -> None:
    """Set `wanted` random labels of the pool to one; shuffles the pool."""
    for i in range(wanted):
        j = i + below(state, pool.size - i)
        pool[i], pool[j] = pool[j], pool[i]
        row[pool[i]] = 1


@compiled
def sampled(n: int, most: int, state: UInts64) -> Bytes:
    """Random rows that favour the least used labels, until all pairs of values are covered."""
    seen = np.zeros((n, n, 4), np.uint8)
    left = n * (n - 1) // 2 * (4 if most >= 2 else 3)
    rows = np.zeros((64, n), np.uint8)
    total, fruitless = 0, 0
    used = np.zeros(n, np.int64)
    while left > 0:
        ones = below(state, most) + 1
        rare = below(state, n // 2 + 1) if fruitless < FRUITLESS else 0
        order = np.argsort(used, kind="mergesort")
        few = min((ones + 1) // 2, rare)
        few = max(few, ones - (n - rare))
        row = np.zeros(n, np.uint8)
        _draw(row, order[:rare], few, state)
        _draw(row, order[rare:], ones - few, state)
        fresh = 0
        for i in range(n):
            for j in range(i + 1, n):
                code = 2 * row[i] + row[j]
                if not seen[i, j, code]:
                    seen[i, j, code] = 1
                    fresh += 1
        if fresh == 0:
            fruitless += 1
            continue
        fruitless = 0
        left -= fresh
        if total == rows.shape[0]:
            rows = np.concatenate((rows, np.zeros((total, n), np.uint8)))
        rows[total] = row
        used += row
        total += 1
    return rows[:total]


@compiled
def needed(rows: Bytes) -> Bools:
    """Which rows remain when redundant ones are deleted from the last to the first."""
    total, n = rows.shape
    count = np.zeros((n, n, 4), np.int64)
    keep = np.ones(total, np.bool_)
    for r in range(total):
        for i in range(n):
            for j in range(i + 1, n):
                count[i, j, 2 * rows[r, i] + rows[r, j]] += 1
    for back in range(total):
        r = total - 1 - back
        spare = True
        for i in range(n):
            for j in range(i + 1, n):
                if count[i, j, 2 * rows[r, i] + rows[r, j]] == 1:
                    spare = False
                    break
            if not spare:
                break
        if spare:
            keep[r] = False
            for i in range(n):
                for j in range(i + 1, n):
                    count[i, j, 2 * rows[r, i] + rows[r, j]] -= 1
    return keep
