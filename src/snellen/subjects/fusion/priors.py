"""How large things of each class are, and how they look to a LiDAR."""

from __future__ import annotations

from typing import NamedTuple

CLASSES: tuple[str, ...] = ("Car", "Pedestrian", "Cyclist")

Trapezoid = tuple[float, float, float, float]
"""Nothing is believed up to the first value and from the last on, all between the middle two."""


class Prior(NamedTuple):
    """One class, in metres.

    length, width, height: the means over KITTI's training labels. longest, widest: of any one.
    tops: above the ground. longer, shorter: the sides of what returns come from.
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
"""By the id of the class."""
