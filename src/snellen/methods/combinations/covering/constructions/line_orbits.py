"""Steiner systems of strength 5 as orbits of rows under PSL(2, q), and their derived systems.

The labels are the points of the projective line over the field of q elements. Among the systems are
those of E. Witt (1938), of which the groups of Mathieu are the symmetries, and two of R. Denniston
(1976).
"""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from snellen.methods.combinations.covering.constructions.projective_line import ProjectiveLine
from snellen.vision.arrays import Ints

STRENGTH = 5
BASE_ROWS = {
    (12, 6): ((0, 1, 2, 3, 4, 6),),
    (24, 8): ((0, 1, 2, 3, 4, 7, 10, 12),),
    (24, 6): ((0, 1, 2, 3, 7, 18), (0, 1, 2, 3, 4, 10), (0, 1, 2, 4, 7, 8)),
    (28, 7): ((0, 1, 2, 3, 4, 18, 22), (0, 1, 2, 3, 6, 16, 23)),
}
"""Rows, by number of labels and labels present, whose orbits have each five labels once."""


def line_orders(most: int, strength: int) -> list[int]:
    """The numbers of labels that have a system with rows of `most` labels.

    >>> line_orders(7, 4), line_orders(6, 5)
    ([23], [12, 24])
    """
    fixed = STRENGTH - strength
    if not 0 <= fixed <= 2:
        return []
    return [n - fixed for n, k in BASE_ROWS if k - fixed == most]


@lru_cache(maxsize=8)
def line_rows(n: int, most: int, strength: int) -> Ints:
    """Rows of `most` labels that contain each set of `strength` of n labels once.

    A system of a lower strength is derived: the rows with the last labels, without those.

    >>> line_rows(23, 7, 4).shape
    (253, 7)
    """
    fixed = STRENGTH - strength
    rows = _orbits(n + fixed, most + fixed)
    with_last = rows[(rows[:, most:] == np.arange(n, n + fixed)).all(axis=1)]
    derived: Ints = with_last[:, :most]
    return derived


@lru_cache(maxsize=4)
def _orbits(n: int, most: int) -> Ints:
    """All images of the base rows, members ascending."""
    moves = ProjectiveLine(n - 1).special_generators()
    rows = np.array(BASE_ROWS[n, most])
    known = 0
    while len(rows) > known:
        known = len(rows)
        images = np.concatenate([rows, *(move[rows] for move in moves)])
        rows = np.unique(np.sort(images, axis=1), axis=0)
    return rows
