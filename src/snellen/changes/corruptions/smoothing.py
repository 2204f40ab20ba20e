"""Gaussian blurs of any width at about the same cost."""

from __future__ import annotations

import numpy as np

from snellen.changes.corruptions.corruption import Image


def smoothed(image: Image, sigma: float) -> Image:
    """The image blurred by a Gaussian of standard deviation `sigma`, in pixels.

    A wide one is done at half or a quarter of the resolution, where it loses nothing that it would
    have kept; the blur of going there and back counts.
    """
    import cv2

    shrink = 1 if sigma < 5 else 2 if sigma < 10 else 4
    if shrink == 1:
        return _smoothed(image, sigma)
    height, width = image.shape[:2]
    around = shrink * int(np.ceil(4 * sigma / shrink))
    far = (around + -height % shrink, around, around + -width % shrink)
    wide = cv2.copyMakeBorder(image, around, *far, cv2.BORDER_REPLICATE)
    size = (wide.shape[1] // shrink, wide.shape[0] // shrink)
    small = cv2.resize(wide, size, interpolation=cv2.INTER_AREA)
    travel = (shrink**2 - 1) / 12 + shrink**2 / 6  # variance of the mean and of the interpolation
    small = _smoothed(small, float(np.sqrt(sigma**2 - travel)) / shrink)
    large: Image = cv2.resize(small, wide.shape[1::-1], interpolation=cv2.INTER_LINEAR)
    return np.ascontiguousarray(large[around : around + height, around : around + width])


def _smoothed(image: Image, sigma: float) -> Image:
    import cv2

    side = 2 * max(1, int(4 * sigma + 0.5)) + 1
    found: Image = cv2.GaussianBlur(image, (side, side), sigma, borderType=cv2.BORDER_REPLICATE)
    return found
