"""Small arrays with a prescribed symmetry: whole orbits of rows under a shift of the labels."""

from __future__ import annotations

from itertools import combinations
from math import comb

import numpy as np
from numpy.typing import NDArray

from snellen.methods.combinations.covering.members import Members

MOST_ROWS = 20_000
Orbit = list[tuple[int, ...]]


def orbit_rows(
    n: int, most: int, strength: int, bound: int, known: int, steps: int, seed: int
) -> Members | None:
    """Rows that show every set of `strength` labels, fewer than known, or None.

    Shifts are around all n labels, or around n - 1 of them with the last one fixed.
    """
    best = None
    if comb(n, most) > MOST_ROWS:
        return None
    for around in (n - 1, n):
        orbits = _orbits(n, around, most)
        shown = _shown(orbits, _orbits(n, around, strength), strength)
        whole = [at for at, one in enumerate(orbits) if len(one) == around]
        rng = np.random.default_rng([seed, around, most, strength])
        for count in range(-(-bound // around), -(-known // around)):
            chosen = _chosen(shown[whole], count, steps, rng)
            if chosen is not None:
                best, known = [row for at in chosen for row in orbits[whole[at]]], count * around
                break
    return None if best is None else np.array(best, np.int64)


def _orbits(n: int, around: int, size: int) -> list[Orbit]:
    seen: set[tuple[int, ...]] = set()
    found = []
    for one in combinations(range(n), size):
        if one not in seen:
            shifts = (
                tuple(sorted((x + by) % around if x < around else x for x in one))
                for by in range(around)
            )
            orbit = list(dict.fromkeys(shifts))
            seen.update(orbit)
            found.append(orbit)
    return found


def _shown(orbits: list[Orbit], sets: list[Orbit], strength: int) -> NDArray[np.int64]:
    """1 where an orbit of rows (first axis) shows an orbit of sets (second axis)."""
    place = {one: at for at, orbit in enumerate(sets) for one in orbit}
    shown = np.zeros((len(orbits), len(sets)), np.int64)
    for at, orbit in enumerate(orbits):
        shown[at, [place[one] for one in combinations(orbit[0], strength)]] = 1
    return shown


def _chosen(
    shown: NDArray[np.int64], count: int, steps: int, rng: np.random.Generator
) -> list[int] | None:
    """So many orbits that show all sets: one at random is replaced by one of the best."""
    chosen = rng.integers(0, len(shown), count)
    for _ in range(steps):
        out = int(rng.integers(count))
        open_sets = shown[np.delete(chosen, out)].sum(axis=0) == 0
        gains = shown @ open_sets
        noisy = gains + 1.2 * rng.random(len(gains))
        chosen[out] = int(noisy.argmax())
        if gains[chosen[out]] == open_sets.sum():
            return [int(at) for at in chosen]
    return None
