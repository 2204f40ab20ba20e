"""Removing rows one by one, with annealing at low heat that keeps the structure of an array."""

from __future__ import annotations

import numpy as np

from snellen.methods.combinations.covering.members import values_of
from snellen.methods.combinations.covering.search.cooling_schedule import acceptance
from snellen.methods.combinations.covering.xorshift import xorshift_state
from snellen.vision.arrays import Bytes, Ints, UInts64

HOT, COOL, ROUNDS = "0.22", "0.98", 150
TRIES = 24


def reduce_rows(rows: Ints, need: Bytes, n: int, bound: int, moves: int, seed: int) -> Ints:
    """Fewer rows that cover the same needed pairs, by removing one after another.

    `need` is the table of needed pairs, n * n bytes. The row that alone covers the least is
    removed, and the others are annealed at a heat low enough to keep their structure.
    """
    limits = acceptance(HOT, COOL, ROUNDS)
    attempt = 0
    while len(rows) > bound and attempt < TRIES:
        state = xorshift_state(seed * TRIES + attempt, len(rows))
        fewer = _without_one(_fill(rows, n, state), n, attempt)
        attempt += 1
        if _anneal(fewer, n, need, limits, moves // ROUNDS, state) == 0:
            rows, attempt = np.sort(fewer, axis=1), 0
    return rows


def _anneal(
    rows: Ints,
    n: int,
    need: Bytes,
    limits: Ints,
    steps: int,
    state: UInts64,
) -> int:
    """The number of uncovered needed pairs after annealing the rows in place."""
    from snellen.methods.combinations.covering.kernels.orbit_annealing import anneal, orbits_of
    from snellen.methods.combinations.covering.kernels.pair_annealing import (
        LABELS_MOST,
        anneal_pairs,
    )

    if n <= LABELS_MOST:
        return anneal_pairs(rows, n, need, limits, steps, state)
    orbit, total = orbits_of(need, np.arange(n), 2, n)
    return anneal(rows, n, 2, orbit, total, limits, steps, state)


def _fill(rows: Ints, n: int, state: UInts64) -> Ints:
    """The rows filled up with random labels."""
    from snellen.methods.combinations.covering.kernels.orbit_annealing import random_rows

    full = rows.copy()
    for at in np.flatnonzero((full < 0).any(axis=1)):
        others = np.setdiff1d(np.arange(n), full[at])
        room = np.flatnonzero(full[at] < 0)
        full[at, room] = others[random_rows(1, others.size, room.size, state)[0]]
    return full


def _without_one(rows: Ints, n: int, at: int) -> Ints:
    """All rows but one: that of rank `at` in the number of pairs that it alone covers."""
    values = values_of(rows, n).astype(np.int64)
    once = (values.T @ values == 1).astype(np.int64)
    alone = ((values @ once) * values).sum(axis=1)
    return np.delete(rows, np.argsort(alone, kind="stable")[at % len(rows)], axis=0)
