"""Mixtures of two images, for settings between two whole numbers."""

from __future__ import annotations

from collections.abc import Callable

from snellen.changes.corruptions.corruption import Image


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
