"""Rows with a prescribed symmetry: orbits of base rows under a shift of the labels."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from snellen.methods.combinations.covering.search.cooling_schedule import acceptance
from snellen.methods.combinations.covering.xorshift import xorshift_state
from snellen.vision.arrays import Bytes, Ints

ROUNDS = 150
HOT, COOL = "0.45", "0.98"


def shift_of(n: int, around: int, fixed: int) -> Ints:
    """(n,) the image of each label: cycles of `around` labels; the last `fixed` (or more) stay.

    >>> shift_of(7, 3, 1).tolist()
    [1, 2, 0, 4, 5, 3, 6]
    """
    shift = np.arange(n)
    for start in range(0, n - fixed - around + 1, around):
        shift[start : start + around] = np.roll(shift[start : start + around], -1)
    return shift


def anneal_base_rows(
    need: Bytes,
    size: int,
    most: int,
    count: int,
    shift: Ints,
    moves: int,
    salt: int,
) -> tuple[Ints, int]:
    """Rows from `count` base rows and their shifts, and the number of uncovered orbits of sets."""
    from snellen.methods.combinations.covering.kernels.orbit_annealing import (
        anneal,
        orbits_of,
        random_rows,
    )
    from snellen.methods.combinations.covering.kernels.pair_annealing import (
        LABELS_MOST,
        anneal_pairs,
    )

    n, steps = len(shift), max(1, moves // ROUNDS)
    state = xorshift_state(salt, count)
    rows = random_rows(count, n, most, state)
    limits = acceptance(HOT, COOL, ROUNDS)
    if size == 2 and n <= LABELS_MOST and (shift == np.arange(n)).all():
        left = anneal_pairs(rows, n, need, limits, steps, state)
    else:
        orbit, total = orbits_of(need, shift, size, n)
        left = anneal(rows, n, size, orbit, total, limits, steps, state)
    return all_shifts(rows, shift), left


def all_shifts(rows: Ints, shift: Ints) -> Ints:
    """The distinct rows among the rows and all their shifts, members ascending."""
    parts, now = [rows], shift[rows]
    place = shift.copy()
    while (place != np.arange(len(shift))).any():
        parts.append(now)
        now, place = shift[now], shift[place]
    return np.unique(np.sort(np.concatenate(parts), axis=1), axis=0)


def shifts(n: int, hole: int, least: int) -> Iterator[tuple[int, Ints]]:
    """(cycle length, shift) of the symmetries to try, long cycles first.

    At most two labels are fixed, and the last `hole` labels are mapped among themselves.
    """
    for around in range(n - hole, least - 1, -1):
        if (n - hole) % around <= (0 if hole else 2):
            fixed = hole % around if hole else n % around
            yield around, shift_of(n, around, fixed)
