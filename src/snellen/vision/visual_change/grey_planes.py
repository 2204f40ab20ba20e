"""Grey images for local statistics, with their checks."""

from __future__ import annotations

import numpy as np

from snellen.errors import UserError
from snellen.vision.arrays import F64, AnyArray


def grey(image: AnyArray) -> F64:
    """The grey levels of an image, H x W: 0.299 R + 0.587 G + 0.114 B (ITU-R BT.601).

    image: H x W (grey) or H x W x 3 (RGB), uint8, or floats in the same range of 0 to 255. Levels
    of uint8 images are rounded, as in OpenCV.

    >>> grey(np.uint8([[[255, 0, 0], [0, 255, 0], [0, 0, 255]]]))
    array([[ 76., 150.,  29.]])
    """
    if image.ndim == 3 and image.shape[2] == 3:
        import cv2

        exact = image if image.dtype == np.uint8 else image.astype(np.float32)
        image = cv2.cvtColor(np.ascontiguousarray(exact), cv2.COLOR_RGB2GRAY)
    elif image.ndim != 2:
        raise ValueError(f"an image must be H x W or H x W x 3; found shape {image.shape}")
    return np.ascontiguousarray(image, dtype=np.float64)


def check_sizes(reference: AnyArray, image: AnyArray) -> None:
    """Raise an error unless both images have the same size."""
    if reference.shape[:2] != image.shape[:2]:
        (height, width), (rows, columns) = reference.shape[:2], image.shape[:2]
        raise UserError(
            f"the reference is {width} x {height} pixels and the image {columns} x {rows}; visual "
            "change is measured between images of the same size. Crop or resize one of them."
        )


def check_window(image: AnyArray, window: int, measure: str) -> None:
    """Raise an error unless a window of that many pixels per side fits into the image."""
    height, width = image.shape[:2]
    if min(height, width) < window:
        raise UserError(
            f"the image is {width} x {height} pixels; {measure} needs at least {window} x "
            f"{window}. Leave it out, or choose another measure."
        )


def gaussian_taps(taps: int, sigma: float) -> F64:
    """The weights of a Gaussian with an odd number of taps, which sum to 1."""
    offsets = np.arange(taps) - taps // 2
    weights = np.exp(-(offsets**2) / (2 * sigma**2))
    return np.asarray(weights / weights.sum())
