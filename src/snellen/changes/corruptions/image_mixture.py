"""Mixtures of two images, for settings between two discrete ones."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

from snellen.vision.arrays import Image

Number = TypeVar("Number", int, float)


def bracket(value: float, knots: Sequence[Number]) -> tuple[Number, Number, float]:
    """The two neighbouring knots around a value, and the weight of the second. knots: decreasing.

    >>> bracket(15.0, (101, 18, 12, 1))
    (18, 12, 0.5)
    """
    place = next(k for k, one in enumerate(knots[1:]) if value > one or one == knots[-1])
    first, second = knots[place], knots[place + 1]
    return first, second, (first - value) / (first - second)


def mix(first: Image, second: Callable[[], Image], share: float) -> Image:
    """The mean of two images, with weight `share` of the second, which is made only if needed.

    >>> import numpy as np
    >>> mix(np.uint8([[0, 100]]), lambda: np.uint8([[10, 200]]), 0.5).tolist()
    [[5, 150]]
    """
    import cv2

    if share == 0:
        return first
    found: Image = cv2.addWeighted(first, 1 - share, second(), share, 0)
    return found
