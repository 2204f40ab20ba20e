"""How far a cluster of returns is believed to be a thing of a class: rules, without learning."""

from __future__ import annotations

import math

from snellen.subjects.fusion.box_completion import VisiblePart
from snellen.subjects.fusion.priors import CAR, Prior, Trapezoid

DENSITY: Trapezoid = (0.05, 0.3, 1e9, 2e9)
"""The share of the returns of a closed surface that must be there."""

CLOSENESS: Trapezoid = (0.4, 0.8, 2.0, 3.0)
RETURNS: Trapezoid = (2.0, 20.0, 1e9, 2e9)
RANGES: Trapezoid = (-1.0, 0.0, 40.0, 80.0)

BEAM, RING = 0.0015, 0.0073
"""Radians between two beams and between two rings of a Velodyne HDL-64E."""

AFLOAT: Trapezoid = (-2.0, -1.0, 0.3, 0.6)
"""Metres between the ground and the lowest return, less the gap between two rings."""

FRAGMENT = (2.2, 3.0, 0.8)
"""Metres: what is longer than a car is wide, shorter than its side, and flat, is half believed."""

GLASS: Trapezoid = (20.0, 40.0, 1e9, 2e9)
"""Metres from which on the upper part of a car, mostly glass, comes to give no returns."""

UNSEEN = 0.5
"""By how much lower, in metres, a car's top may then be seen."""


def belief(part: VisiblePart, prior: Prior) -> float:
    """0 to 1: how far the sides, top and returns of a part are those of a class.

    The product of what each says for itself; many or few returns only temper it.
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
    """Whether sides are more like those of a piece of a wall than of an end or a side of a car."""
    return FRAGMENT[0] < longer < FRAGMENT[1] and shorter < FRAGMENT[2]


def _tops(prior: Prior, range_: float) -> Trapezoid:
    start, full, still, end = prior.tops
    lower = UNSEEN * membership(range_, GLASS) if prior is CAR else 0.0
    return start - lower, full - lower, still, end


def membership(value: float, slope: Trapezoid) -> float:
    """0 to 1: how far a value lies within bounds that begin and end gradually.

    >>> [membership(value, (0, 2, 4, 5)) for value in (-1, 1, 3, 4.5, 9)]
    [0.0, 0.5, 1.0, 0.5, 0.0]
    """
    start, full, still, end = slope
    rising = (value - start) / (full - start)
    falling = (end - value) / (end - still)
    return min(max(min(rising, falling), 0.0), 1.0)


def _density(part: VisiblePart) -> float:
    """Returns, of those that a closed surface as wide and high as the part would give."""
    surface = max(part.rectangle.width_seen, 0.3) * max(part.top, 0.3)
    return part.points * part.range**2 * BEAM * RING / surface
