"""Triples in rows of q + 1 labels: inversive planes and their relatives in higher dimension.

The labels are the points of the projective line over the field of q ** d elements, and the rows are
the images of the line over its subfield of q elements under all projectivities. A projectivity is
fixed by the images of three points, so that every triple is in exactly one row: a Steiner system
S(3, q + 1, q ** d + 1) (E. Witt 1938).
"""

from __future__ import annotations

from functools import lru_cache
from itertools import combinations

import numpy as np

from snellen.methods.combinations.covering.constructions.finite_fields import prime_power
from snellen.methods.combinations.covering.constructions.projective_line import ProjectiveLine
from snellen.vision.arrays import Ints

LARGEST = 130
"""Labels up to which the rows are built."""


def spherical_orders(most: int) -> list[int]:
    """The numbers of labels, at most `LARGEST`, that have a system with rows of `most` labels.

    >>> spherical_orders(6)
    [26, 126]
    """
    q = most - 1
    if q < 3 or prime_power(q) is None:
        return []
    found, order = [], q * q
    while order < LARGEST:
        found.append(order + 1)
        order *= q
    return found


@lru_cache(maxsize=8)
def spherical_rows(n: int, most: int) -> Ints:
    """Rows of `most` labels that contain each triple of n labels once; n from `spherical_orders`.

    >>> spherical_rows(26, 6).shape
    (130, 6)
    """
    line = ProjectiveLine(n - 1)
    part = line.subfield(most - 1)
    open_ = np.ones((n, n, n), bool)
    rows = []
    for a, b in combinations(range(n), 2):
        for c in range(b + 1, n):
            if open_[a, b, c]:
                row = np.sort(line.image(part, a, b, c))
                open_[np.ix_(row, row, row)] = False
                rows.append(row)
    return np.array(rows)
