"""Pairwise coverage by difference families: base rows, their multiples by a factor, and all shifts.

Labels are the integers modulo `around`; an additional label is fixed, and each row with it contains
a coset of the subgroup of most - 1 numbers. A pair is covered if its difference, or the difference
times a power of the factor, occurs in a base row. Few classes of differences remain to be covered,
so that arrays on the bound are found where annealing of all rows is far from it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from math import gcd

import numpy as np

from snellen.methods.combinations.covering.xorshift import xorshift_state
from snellen.vision.arrays import Ints, UInts64

FREE_MOST, FIXED_MOST, LEAST_ORDER = 3, 4, 3
TRIES, LOOKS = 300, 200_000


@dataclass(frozen=True)
class Family:
    """Numbers of base rows: `free` ones, and `fixed` ones that the factor maps to themselves.

    `powers`: all powers of the factor modulo `around`. `rows`: rows of the array.
    """

    labels: int
    most: int
    around: int
    powers: tuple[int, ...]
    free: int
    fixed: int
    rows: int


def families(n: int, most: int) -> list[Family]:
    """The families for n labels that may suffice, those with the fewest rows first."""
    found = [*_around(n, n, most)]
    if (n - 1) % (most - 1) == 0:
        found += _around(n, n - 1, most)
    return sorted(found, key=lambda one: (one.rows, one.free, one.fixed))


def _around(n: int, around: int, most: int) -> Iterator[Family]:
    gain, extra = most * (most - 1) // 2, 0 if n == around else around // (most - 1)
    open_ = int((_classes(around, (1,), extra) > 0).sum()) // 2
    bases = -(-open_ // gain)
    for order in range(LEAST_ORDER, bases + 1):
        free, fixed = divmod(bases, order)
        if free > FREE_MOST or fixed > (FIXED_MOST if most % order < 2 else 0):
            continue
        for powers in _factors(around, order):
            if _classes(around, powers, extra).max() <= free * gain + fixed * gain // order:
                yield Family(n, most, around, powers, free, fixed, bases * around + extra)
                break


def _factors(around: int, order: int) -> Iterator[tuple[int, ...]]:
    """The powers of each factor of this order of which none is -1."""
    for factor in range(2, around):
        if gcd(factor, around) > 1 or pow(factor, order, around) != 1:
            continue
        powers = tuple(pow(factor, i, around) for i in range(order))
        if len(set(powers)) == order and around - 1 not in powers and factor == sorted(powers)[1]:
            yield powers


@lru_cache(maxsize=64)
def _classes(around: int, powers: tuple[int, ...], step: int) -> Ints:
    """(around,) the class of each difference, from 1; 0 for those not needed: multiples of step."""
    classes = np.full(around, -1, np.int64)
    classes[:: step or around] = 0
    number = 0
    for difference in range(1, around):
        if classes[difference] < 0:
            number += 1
            multiples = np.array(powers) * difference % around
            classes[multiples] = classes[-multiples] = number
    return classes


def family_rows(shapes: list[Family], seed: int) -> Ints | None:
    """Rows that cover every pair, from the first family for which base rows are found."""
    for attempt in range(TRIES):
        for family in shapes:
            found = _search(family, xorshift_state(seed * TRIES + attempt, family.around))
            if found is not None:
                return found
    return None


def _search(family: Family, state: UInts64) -> Ints | None:
    from snellen.methods.combinations.covering.kernels.base_row_backtracking import base_rows
    from snellen.methods.combinations.covering.kernels.orbit_annealing import random_rows

    classes = _classes(family.around, family.powers, _step(family))
    fixed, seen = _fixed_rows(family, classes, state)
    rows = np.zeros((family.free, family.most), np.int64)
    spare = rows.size * (family.most - 1) // 2 - int((seen == 0).sum())
    order = random_rows(1, family.around, family.around, state)[0]
    if spare >= 0 and base_rows(rows, order, classes, seen, spare, LOOKS):
        return _develop(family, rows, fixed)
    return None


def _step(family: Family) -> int:
    """The step between numbers of the subgroup, or 0 if it is not used."""
    return family.around // (family.most - 1) if family.around < family.labels else 0


def _fixed_rows(family: Family, classes: Ints, state: UInts64) -> tuple[Ints, Ints]:
    """(fixed, most) base rows that the factor maps to themselves, and the counts of each class."""
    seen = np.zeros(classes.max() + 1, np.int64)
    seen[0] = 1
    rows = np.array([_fixed_row(family, state) for _ in range(family.fixed)], np.int64)
    for row in rows:
        shown = classes[(row[:, None] - row) % family.around]
        seen[np.unique(shown)] += 1
    return rows.reshape(family.fixed, family.most), seen


def _fixed_row(family: Family, state: UInts64) -> Ints:
    from snellen.methods.combinations.covering.kernels.orbit_annealing import random_rows

    starts = random_rows(1, family.around - 1, family.most // len(family.powers), state)[0] + 1
    row = np.multiply.outer(starts, np.array(family.powers)).reshape(-1) % family.around
    return np.append(row, np.zeros(family.most - row.size, np.int64))


def _develop(family: Family, free: Ints, fixed: Ints) -> Ints:
    """All shifts of all multiples, and the rows with the fixed label."""
    around, powers = family.around, np.array(family.powers)
    multiples = (free[None] * powers[:, None, None]).reshape(-1, family.most)
    bases = np.concatenate([multiples, fixed]) % around
    shifted = (bases[None] + np.arange(around)[:, None, None]).reshape(-1, family.most) % around
    step = _step(family)
    cosets = np.arange(step)[:, None] + np.arange(0, around, step or around)
    last = np.concatenate([cosets, np.full((step, 1), around)], axis=1)
    return np.sort(np.concatenate([shifted, last.reshape(-1, family.most)]), axis=1)
