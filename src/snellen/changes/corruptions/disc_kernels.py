"""Compiled means over discs, from cumulative sums along rows."""

from __future__ import annotations

import numpy as np

from snellen.vision.arrays import Image, Ints
from snellen.vision.compilation import compiled


@compiled
def disc_means(padded: Image, half_widths: Ints, gain: float) -> Image:
    """The mean over a disc around each pixel, times the gain, rounded and clipped.

    padded: the image with a border as wide as the radius on each side. half_widths: (2 * radius +
    1,), of the rows of the disc from top to bottom. A row of the disc is a difference of two
    cumulative sums, so that the cost grows with the rows of the disc, not with its pixels.
    """
    radius = half_widths.size // 2
    rows, columns = padded.shape[0], padded.shape[1]
    height, width = rows - 2 * radius, columns - 2 * radius
    sums = np.zeros((rows, 3 * columns + 3), np.int32)
    for y in range(rows):
        for x in range(columns):
            for c in range(3):
                sums[y, 3 * x + 3 + c] = sums[y, 3 * x + c] + padded[y, x, c]
    area = 0
    for half in half_widths:
        area += 2 * half + 1
    scale = np.float32(gain / area)
    out = np.empty((height, width, 3), np.uint8)
    total = np.empty(3 * width, np.int32)
    for y in range(height):
        total[:] = 0
        for row in range(half_widths.size):
            left = 3 * (radius - half_widths[row])
            right = 3 * (radius + half_widths[row] + 1)
            begin = sums[y + row, left : left + 3 * width]
            end = sums[y + row, right : right + 3 * width]
            for x in range(3 * width):
                total[x] += end[x] - begin[x]
        line = out[y].reshape(3 * width)
        for x in range(3 * width):
            mean = np.float32(total[x]) * scale + np.float32(0.5)
            line[x] = np.uint8(min(mean, np.float32(255)))
    return out
