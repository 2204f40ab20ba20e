"""One row fewer, and again: a gentle annealing that keeps the structure of an array."""

from __future__ import annotations

import numpy as np

from snellen.methods.combinations.covering.members import values_of
from snellen.methods.combinations.covering.search.cooling_schedule import acceptance
from snellen.methods.combinations.covering.xorshift import dice_of
from snellen.vision.arrays import Bytes, Ints, UInts64

HOT, COOL, ROUNDS = "0.22", "0.98", 150
TRIES = 24


def reduce_rows(rows: Ints, need: Bytes, n: int, bound: int, moves: int, seed: int) -> Ints:
    """Rows that show the same needed pairs, as few as dropping one after another leaves.

    `need` is the table of needed pairs, n * n bytes. A row that shows little alone is dropped, and
    the others are annealed at a heat low enough for lines and planes among them to stay.
    """
    limits = acceptance(HOT, COOL, ROUNDS)
    attempt = 0
    while len(rows) > bound and attempt < TRIES:
        dice = dice_of(seed * TRIES + attempt, len(rows))
        fewer = _without_one(_full(rows, n, dice), n, attempt)
        attempt += 1
        if _annealed(fewer, n, need, limits, moves // ROUNDS, dice) == 0:
            rows, attempt = np.sort(fewer, axis=1), 0
    return rows


def _annealed(
    rows: Ints,
    n: int,
    need: Bytes,
    limits: Ints,
    steps: int,
    dice: UInts64,
) -> int:
    """How many needed pairs the rows lack once they are annealed in place."""
    from snellen.methods.combinations.covering.kernels.orbit_annealing import anneal, orbits_of
    from snellen.methods.combinations.covering.kernels.pair_annealing import (
        LABELS_MOST,
        anneal_pairs,
    )

    if n <= LABELS_MOST:
        return anneal_pairs(rows, n, need, limits, steps, dice)
    orbit, total = orbits_of(need, np.arange(n), 2, n)
    return anneal(rows, n, 2, orbit, total, limits, steps, dice)


def _full(rows: Ints, n: int, dice: UInts64) -> Ints:
    """The rows with labels at random where they have room."""
    from snellen.methods.combinations.covering.kernels.orbit_annealing import random_rows

    full = rows.copy()
    for at in np.flatnonzero((full < 0).any(axis=1)):
        others = np.setdiff1d(np.arange(n), full[at])
        room = np.flatnonzero(full[at] < 0)
        full[at, room] = others[random_rows(1, others.size, room.size, dice)[0]]
    return full


def _without_one(rows: Ints, n: int, at: int) -> Ints:
    """All rows but the one that is `at` places from the least in pairs that it alone shows."""
    values = values_of(rows, n).astype(np.int64)
    once = (values.T @ values == 1).astype(np.int64)
    alone = ((values @ once) * values).sum(axis=1)
    return np.delete(rows, np.argsort(alone, kind="stable")[at % len(rows)], axis=0)
