"""The belief that a cluster of returns is an object of a class, by fuzzy rules."""

from __future__ import annotations

import math

from snellen.subjects.fusion.box_completion import VisiblePart
from snellen.subjects.fusion.priors import CAR, Prior, Trapezoid

DENSITY: Trapezoid = (0.05, 0.3, 1e9, 2e9)
"""Returns relative to those of a closed surface."""

CLOSENESS: Trapezoid = (0.4, 0.8, 2.0, 3.0)
RETURNS: Trapezoid = (2.0, 20.0, 1e9, 2e9)
RANGES: Trapezoid = (-1.0, 0.0, 40.0, 80.0)

BEAM, RING = 0.0015, 0.0073
"""Radians between two beams of a ring and between two rings of a Velodyne HDL-64E."""

AFLOAT: Trapezoid = (-2.0, -1.0, 0.3, 0.6)
"""Metres between the ground and the lowest return, minus the gap between two rings."""

FRAGMENT = (2.2, 3.0, 0.8)
"""Metres: a flat part longer than a car's width but shorter than its side is half believed."""

GLASS: Trapezoid = (20.0, 40.0, 1e9, 2e9)
"""Range in metres at which the upper part of a car, mostly glass, ceases to give returns."""

UNSEEN = 0.5
"""By how much lower, in metres, a car's highest return may then be."""


def belief(part: VisiblePart, prior: Prior) -> float:
    """0 to 1: how well the sides, top and returns of a part fit a class.

    It is the product of the memberships; the number of returns enters by its square root.
    """
    longer, shorter = sorted(part.rectangle.sides.tolist(), reverse=True)
    return (
        membership(part.top, _tops(prior, part.range))
        * membership(longer, prior.longer)
        * membership(shorter, prior.shorter)
        * membership(_density(part), DENSITY)
        * membership(part.bottom - RING * part.range, AFLOAT)
        * (0.5 if prior is CAR and _fragment(longer, shorter) else 1.0)
        * membership(part.rectangle.closeness, CLOSENESS)
        * membership(part.range, RANGES)
        * math.sqrt(membership(part.points, RETURNS))
    )


def _fragment(longer: float, shorter: float) -> bool:
    """Whether the sides look like a piece of a wall rather than an end or a side of a car."""
    return FRAGMENT[0] < longer < FRAGMENT[1] and shorter < FRAGMENT[2]


def _tops(prior: Prior, range_: float) -> Trapezoid:
    start, full, still, end = prior.tops
    lower = UNSEEN * membership(range_, GLASS) if prior is CAR else 0.0
    return start - lower, full - lower, still, end


def membership(value: float, slope: Trapezoid) -> float:
    """0 to 1: the trapezoidal membership of a value.

    >>> [membership(value, (0, 2, 4, 5)) for value in (-1, 1, 3, 4.5, 9)]
    [0.0, 0.5, 1.0, 0.5, 0.0]
    """
    start, full, still, end = slope
    rising = (value - start) / (full - start)
    falling = (end - value) / (end - still)
    return min(max(min(rising, falling), 0.0), 1.0)


def _density(part: VisiblePart) -> float:
    """Returns relative to those of a closed surface as wide and high as the part."""
    surface = max(part.rectangle.width_seen, 0.3) * max(part.top, 0.3)
    return part.points * part.range**2 * BEAM * RING / surface
