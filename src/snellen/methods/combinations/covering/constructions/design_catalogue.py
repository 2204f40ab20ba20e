"""Steiner systems of strength 3 to 5, and what is left of them without a few labels."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from snellen.methods.combinations.covering.constructions.line_orbits import line_orders, line_rows
from snellen.methods.combinations.covering.constructions.quadruple_systems import quadruple_system
from snellen.methods.combinations.covering.constructions.spherical_geometries import (
    spherical_orders,
    spherical_rows,
)
from snellen.methods.combinations.covering.members import padded
from snellen.vision.arrays import Ints

LEAST_KEPT = 8
"""A system is used for n labels if it has at most n / 8 more, or 2 more."""


def known_designs(n: int, most: int, strength: int) -> Iterator[Ints]:
    """Rows that contain every set of `strength` of n labels, from each system large enough.

    >>> [rows.shape for rows in known_designs(26, 6, 3)]
    [(130, 6)]
    """
    for order, build in sorted(_systems(n, most, strength), key=lambda one: one[0]):
        rows = build(order)
        if rows is not None:
            yield rows if order == n else _shortened(rows, n, strength)


def _systems(
    n: int, most: int, strength: int
) -> Iterator[tuple[int, Callable[[int], Ints | None]]]:
    """(number of labels, how to build the system) of systems on n labels or a few more."""
    last = n + max(2, n // LEAST_KEPT)
    if (most, strength) == (4, 3):
        for order in range(n, last + 1):
            yield order, quadruple_system
    elif strength == 3:
        for order in spherical_orders(most):
            if n <= order <= last:
                yield order, lambda order: spherical_rows(order, most)
    for order in line_orders(most, strength):
        if n <= order <= last and (most, strength) != (4, 3):
            yield order, lambda order: line_rows(order, most, strength)


def _shortened(rows: Ints, n: int, strength: int) -> Ints:
    """The rows without labels from n on; rows with fewer than `strength` labels left are gone."""
    kept = ([label for label in row if label < n] for row in rows.tolist())
    return padded((row for row in kept if len(row) >= strength), rows.shape[1])
