"""Blur along a line, as of something that moves while it is exposed."""

from __future__ import annotations

import numpy as np

from snellen.vision.arrays import F32, Image


def along_a_line(image: Image, length: float, sigma: float, angle: float) -> Image:
    """The mean along a line from each pixel on, weighted by half a Gaussian.

    length and sigma in pixels; angle in radians, 0 along +x and growing towards +y. The image's
    border goes on beyond it.
    """
    import cv2

    from snellen.changes.corruptions.line_blur_kernels import weighted_sum

    kernel = line_kernel(length, sigma, angle)
    half = kernel.shape[0] // 2
    rows, columns = np.nonzero(kernel > 1e-5)
    padded = cv2.copyMakeBorder(image, half, half, half, half, cv2.BORDER_REPLICATE).astype(
        np.float32
    )
    return weighted_sum(padded, rows, columns, kernel[rows, columns], half)


def line_kernel(length: float, sigma: float, angle: float) -> F32:
    """Weights of the line's points, each shared among the four pixels around it; they sum to 1.

    An odd number of pixels a side, the line's beginning in the middle.
    """
    steps = np.arange(max(1, int(np.ceil(length))))
    weight = np.exp(-(steps**2) / (2 * max(sigma, 1e-3) ** 2)) * np.minimum(1, length - steps)
    x, y = steps * np.cos(angle), steps * np.sin(angle)
    half = len(steps) + 1
    kernel = np.zeros((2 * half + 1, 2 * half + 1))
    left, top = np.floor(x).astype(int), np.floor(y).astype(int)
    for right, across in ((0, 1 - (x - left)), (1, x - left)):
        for down, along in ((0, 1 - (y - top)), (1, y - top)):
            np.add.at(kernel, (half + top + down, half + left + right), weight * across * along)
    found: F32 = (kernel / kernel.sum()).astype(np.float32)
    return found
