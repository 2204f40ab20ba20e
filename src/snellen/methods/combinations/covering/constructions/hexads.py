"""Triples in rows of six for 18 to 22 labels: the Steiner system S(3, 6, 22), shortened."""

from __future__ import annotations

import numpy as np

from snellen.methods.combinations.covering.members import need_all
from snellen.methods.combinations.covering.search.cooling_schedule import acceptance
from snellen.methods.combinations.covering.xorshift import xorshift_state
from snellen.vision.arrays import Ints, UInts64

LEAST, LABELS = 18, 22
TRIES, ROUNDS, HOT, COOL = 3, 150, "0.25", "0.975"


def hexads() -> list[list[int]]:
    """The 77 sets of six of 22 labels that contain each triple once.

    They are the words of weight 8 of the extended Golay code, constructed from the squares modulo
    23, that contain two given positions.
    """
    squares = {i * i % 23 for i in range(1, 23)}
    words = {0}
    for shift in range(23):
        places = [(i + shift) % 23 for i in squares]
        word = sum(1 << i for i in places) | (len(places) % 2) << 23
        if word not in words:
            words |= {one ^ word for one in words}
    octads = [
        [i for i in range(24) if one >> i & 1] for one in sorted(words) if one.bit_count() == 8
    ]
    return [[i - 2 for i in one[2:]] for one in octads if one[:2] == [0, 1]]


def six_rows(n: int, bound: int, moves: int, seed: int) -> Ints | None:
    """The fewest rows of six that annealing from the system finds, for n of 18 to 22 labels."""
    if not LEAST <= n <= LABELS:
        return None
    cut = sorted(([i for i in one if i < n] for one in hexads()), key=len, reverse=True)
    best = None
    for count in range(len(cut), bound - 1, -1):
        tries = (_anneal(cut[:count], n, moves, seed, attempt) for attempt in range(TRIES))
        found = next((one for one in tries if one is not None), None)
        if found is None:
            break
        best = found
    return best


def _anneal(cut: list[list[int]], n: int, moves: int, seed: int, attempt: int) -> Ints | None:
    from snellen.methods.combinations.covering.kernels.orbit_annealing import anneal, orbits_of

    state = xorshift_state(seed * TRIES + attempt, len(cut))
    rows = np.array([_fill(one, n, state) for one in cut], np.int64)
    orbit, total = orbits_of(need_all(n, 3), np.arange(n), 3, n)
    limits = acceptance(HOT, COOL, ROUNDS)
    left = anneal(rows, n, 3, orbit, total, limits, moves // ROUNDS, state)
    return None if left else np.sort(rows, axis=1)


def _fill(one: list[int], n: int, state: UInts64) -> list[int]:
    """Six labels: those given and random others."""
    from snellen.methods.combinations.covering.kernels.orbit_annealing import random_rows

    others = np.setdiff1d(np.arange(n), one)
    more = others[random_rows(1, len(others), 6 - len(one), state)[0]]
    return one + [int(label) for label in more]
