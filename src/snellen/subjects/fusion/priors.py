"""Size priors of each class, and the membership functions of their LiDAR returns."""

from __future__ import annotations

from typing import NamedTuple

CLASSES: tuple[str, ...] = ("Car", "Pedestrian", "Cyclist")

Trapezoid = tuple[float, float, float, float]
"""A membership function: 0 outside the first and last value, 1 between the middle two."""


class Prior(NamedTuple):
    """One class, in metres.

    length, width, height: means of KITTI's training labels. longest, widest: their maxima. tops:
    height of the highest return. longer, shorter: sides of the visible part.
    """

    length: float
    width: float
    height: float
    longest: float
    widest: float
    tops: Trapezoid
    longer: Trapezoid
    shorter: Trapezoid


CAR = Prior(
    3.88, 1.63, 1.53, 5.2, 2.1, (0.8, 1.1, 1.6, 2.1), (0.8, 1.2, 4.8, 5.6), (-1, -0.5, 2.1, 2.6)
)
PEDESTRIAN = Prior(
    0.84, 0.66, 1.76, 1.2, 1.0, (1.2, 1.5, 1.95, 2.1), (0.2, 0.4, 1.0, 1.3), (0.05, 0.2, 0.8, 1.1)
)
CYCLIST = Prior(
    1.76, 0.60, 1.74, 2.2, 1.0, (1.2, 1.5, 1.9, 2.1), (0.8, 1.2, 2.0, 2.4), (0.05, 0.2, 0.6, 0.9)
)

PRIORS = (CAR, PEDESTRIAN, CYCLIST)
"""By class id."""
