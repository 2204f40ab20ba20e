"""Mixtures of two images, for settings between two that can be had."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

from snellen.vision.arrays import Image

Number = TypeVar("Number", int, float)


def between(value: float, falling: Sequence[Number]) -> tuple[Number, Number, float]:
    """The two of some falling numbers that a value lies between, and the second one's share.

    >>> between(15.0, (101, 18, 12, 1))
    (18, 12, 0.5)
    """
    place = next(k for k, one in enumerate(falling[1:]) if value > one or one == falling[-1])
    first, second = falling[place], falling[place + 1]
    return first, second, (first - value) / (first - second)


def mixed(first: Image, second: Callable[[], Image], share: float) -> Image:
    """The first image with a share of the second, which is made only if there is any of it.

    >>> import numpy as np
    >>> mixed(np.uint8([[0, 100]]), lambda: np.uint8([[10, 200]]), 0.5).tolist()
    [[5, 150]]
    """
    import cv2

    if share == 0:
        return first
    found: Image = cv2.addWeighted(first, 1 - share, second(), share, 0)
    return found
