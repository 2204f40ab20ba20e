"""Compiled hill climbing of Stinson for triple systems with excluded pairs."""

from __future__ import annotations

import numpy as np

from snellen.methods.combinations.covering.xorshift import below
from snellen.vision.arrays import Ints, UInts64
from snellen.vision.compilation import compiled

DEAD = -2
OPEN = -1


@compiled
def _drop(partners: Ints, place: Ints, degree: Ints, x: int, y: int) -> None:
    at = place[x, y]
    degree[x] -= 1
    moved = partners[x, degree[x]]
    partners[x, at] = moved
    place[x, moved] = at


@compiled
def _lift(partners: Ints, place: Ints, degree: Ints, x: int, y: int) -> None:
    partners[x, degree[x]] = y
    place[x, y] = degree[x]
    degree[x] += 1


@compiled
def triples(third: Ints, steps: int, state: UInts64) -> Ints:
    """(triples, 3) pair-disjoint triples on the open pairs of `third` (n, n), changed in place.

    After enough steps they cover every open pair once, if such a system exists.
    """
    n = third.shape[0]
    partners, place = np.zeros((n, n), np.int64), np.zeros((n, n), np.int64)
    degree = np.zeros(n, np.int64)
    left = 0
    for x in range(n):
        for y in range(n):
            if x != y and third[x, y] == OPEN:
                _lift(partners, place, degree, x, y)
                left += 1
    for _ in range(steps):
        if left == 0:
            break
        x = below(state, n)
        if degree[x] < 2:
            continue
        i, j = below(state, degree[x]), below(state, degree[x] - 1)
        if j >= i:
            j += 1
        y, z = partners[x, i], partners[x, j]
        w = third[y, z]
        if w == DEAD:
            continue
        if w != OPEN:
            for a, b in ((w, y), (w, z)):
                third[a, b] = OPEN
                third[b, a] = OPEN
                _lift(partners, place, degree, a, b)
                _lift(partners, place, degree, b, a)
            left += 4
        else:
            _drop(partners, place, degree, y, z)
            _drop(partners, place, degree, z, y)
            left -= 2
        for a, b in ((x, y), (x, z)):
            _drop(partners, place, degree, a, b)
            _drop(partners, place, degree, b, a)
        left -= 4
        third[x, y] = third[y, x] = z
        third[x, z] = third[z, x] = y
        third[y, z] = third[z, y] = x
    found = np.empty((n * n // 6 + 1, 3), np.int64)
    total = 0
    for x in range(n):
        for y in range(x + 1, n):
            if third[x, y] > y:
                found[total, 0], found[total, 1], found[total, 2] = x, y, third[x, y]
                total += 1
    return found[:total]
