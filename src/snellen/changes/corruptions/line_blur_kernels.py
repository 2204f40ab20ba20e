"""Compiled sums over the few pixels of a line."""

from __future__ import annotations

import numpy as np

from snellen.vision.arrays import F32, Image, Ints
from snellen.vision.compilation import compiled


@compiled
def weighted_sum(padded: F32, rows: Ints, columns: Ints, weights: F32, half: int) -> Image:
    """The weighted sum of pixels around each pixel, rounded and clipped.

    padded: (H, W, 3) image with a border of `half` pixels on each side. rows, columns: of the
    weights in a square of 2 * half + 1 pixels per side.
    """
    height, width = padded.shape[0] - 2 * half, padded.shape[1] - 2 * half
    flat = padded.reshape(padded.shape[0], -1)
    out = np.empty((height, width, 3), np.uint8)
    total = np.empty(3 * width, np.float32)
    for y in range(height):
        total[:] = np.float32(0.5)
        for i in range(weights.size):
            begin, weight = 3 * columns[i], weights[i]
            line = flat[y + rows[i], begin : begin + 3 * width]
            for x in range(3 * width):
                total[x] += weight * line[x]
        row = out[y].reshape(3 * width)
        for x in range(3 * width):
            row[x] = np.uint8(min(total[x], np.float32(255)))
    return out
