"""Blur along a line, as by motion during the exposure."""

from __future__ import annotations

import numpy as np

from snellen.vision.arrays import F32, Image


def line_blur(image: Image, length: float, sigma: float, angle: float) -> Image:
    """The mean along a line that starts at each pixel, weighted by half a Gaussian.

    length and sigma in pixels; angle in radians, 0 along +x and increasing towards +y. Pixels
    outside the image repeat its border.
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
    """The weights of the points of a line, each shared among four pixels; they sum to 1.

    (K, K) with K odd; the line starts at the centre.
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
