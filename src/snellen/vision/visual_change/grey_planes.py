"""Images as planes of grey that local statistics are taken of."""

from __future__ import annotations

import numpy as np

from snellen.errors import UserError
from snellen.vision.arrays import F64, AnyArray


def grey(image: AnyArray) -> F64:
    """The grey levels of an image, H x W: 0.299 R + 0.587 G + 0.114 B (ITU-R BT.601).

    Of a uint8 image they are rounded to whole levels, as OpenCV's own conversion does.

    >>> grey(np.uint8([[[255, 0, 0], [0, 255, 0], [0, 0, 255]]]))
    array([[ 76., 150.,  29.]])
    """
    if image.ndim == 3 and image.shape[2] == 3:
        import cv2

        exact = image if image.dtype == np.uint8 else image.astype(np.float32)
        image = cv2.cvtColor(np.ascontiguousarray(exact), cv2.COLOR_RGB2GRAY)
    elif image.ndim != 2:
        raise ValueError(f"an image is H x W or H x W x 3, found the shape {image.shape}")
    return np.ascontiguousarray(image, dtype=np.float64)


def check_sizes(reference: AnyArray, image: AnyArray) -> None:
    """An error unless both images are of one size."""
    if reference.shape[:2] != image.shape[:2]:
        (height, width), (rows, columns) = reference.shape[:2], image.shape[:2]
        raise UserError(
            f"the reference is {width} x {height} pixels and the image {columns} x {rows}; visual "
            "change is measured between images of one size. Crop or resize one of them."
        )


def check_window(image: AnyArray, window: int, measure: str) -> None:
    """An error unless a window of that many pixels a side fits into the image."""
    height, width = image.shape[:2]
    if min(height, width) < window:
        raise UserError(
            f"the image is {width} x {height} pixels; {measure} needs at least {window} x "
            f"{window}. Leave it out, or choose another measure."
        )


def bell(taps: int, sigma: float) -> F64:
    """A Gaussian of an odd number of taps that sum to 1."""
    offsets = np.arange(taps) - taps // 2
    weights = np.exp(-(offsets**2) / (2 * sigma**2))
    return np.asarray(weights / weights.sum())
