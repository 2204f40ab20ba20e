"""Mixtures of two images, for settings between two discrete ones."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

import numpy as np

from snellen.vision.arrays import F64, Image

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


def mix_blocks(first: Image, second: Callable[[], Image], share: float) -> Image:
    """The first image with a share of its blocks of 16 x 16 pixels replaced by the second's.

    The second is made only if needed. A mean of two coarse images would look finer than either, so
    that visual change would not rise with the share; the more blocks are replaced, the more it
    does. Blocks are replaced in a fixed scattered order.
    """
    if share == 0:
        return first
    height, width = first.shape[:2]
    replaced = np.kron(_ranks(-(-height // SIDE), -(-width // SIDE)) < share, _BLOCK)
    return np.where(replaced[:height, :width, None], second(), first)


def _ranks(rows: int, columns: int) -> F64:
    """(rows, columns) numbers from 0 to 1, scattered evenly: any part of the image has all."""
    down, across = np.indices((rows, columns))
    return np.asarray((down * STEPS[0] + across * STEPS[1] + 0.5) % 1.0)


SIDE = 16
"""Pixels per side of a block of JPEG with colours at half the resolution."""
STEPS = (0.7548776662466927, 0.5698402909980532)
"""The two inverse powers of the plastic number, whose multiples fill the square evenly."""
_BLOCK = np.ones((SIDE, SIDE), dtype=bool)
