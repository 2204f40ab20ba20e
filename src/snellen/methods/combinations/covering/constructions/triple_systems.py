"""Pairs in rows of three: Steiner triple systems and similar arrays on the bound."""

from __future__ import annotations

import numpy as np

from snellen.methods.combinations.covering.members import padded
from snellen.methods.combinations.covering.xorshift import xorshift_state
from snellen.vision.arrays import Ints

ON_SIX = ((0, 1, 2), (0, 1, 3), (0, 4, 5), (1, 4, 5), (2, 3, 4), (2, 3, 5))
ON_FIVE = ((0, 1, 2), (0, 3, 4), (1, 3, 4), (2, 3, 4))
STEPS_A_PAIR = 400


def triple_system(n: int, seed: int) -> Ints | None:
    """Rows of three that cover every pair of n labels, or None if this does not apply to n."""
    left = n % 6
    if n < 7 or n in (11, 12):
        return None
    if left in (1, 3):
        return _hill_climb(n, [], seed)
    if left in (2, 4):
        rest = [(i, min(i + 1, n - 2) if i + 1 < n - 1 else 0, n - 1) for i in range(0, n - 1, 2)]
        return np.concatenate([_hill_climb(n - 1, [], seed), padded(rest, 3)])
    if left == 0:
        groups = [range(at, at + 6) for at in range(0, n, 6)]
        filled = [[at + i for i in one] for at in range(0, n, 6) for one in ON_SIX]
        return np.concatenate([_hill_climb(n, groups, seed), padded(filled, 3)])
    return np.concatenate([_hill_climb(n, [range(5)], seed), padded(ON_FIVE, 3)])


def _hill_climb(n: int, dead: list[range], seed: int) -> Ints:
    from snellen.methods.combinations.covering.kernels.triple_hill_climb import DEAD, OPEN, triples

    third = np.full((n, n), OPEN, np.int64)
    for group in dead:
        third[np.ix_(group, group)] = DEAD
    np.fill_diagonal(third, DEAD)
    return triples(third, STEPS_A_PAIR * n * n, xorshift_state(seed, n))
