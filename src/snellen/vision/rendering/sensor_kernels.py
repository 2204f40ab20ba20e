"""Compiled loops that measure the noise and sharpness of an image."""

from __future__ import annotations

from typing import Any

import numpy as np

from snellen.vision.arrays import AnyArray
from snellen.vision.compilation import compiled

SIDE = 8


@compiled
def block_noise(image: AnyArray, k: int) -> Any:
    """Mean, largest value and noise (standard deviation) of every fourth 8 x 8 block, (B,) each.

    image: (H, W, 3), of which channel k is measured. The noise is the root mean square of the
    residual without planes and edges along rows or columns: the second difference down of the
    second difference across, divided by 6.
    """
    rows, columns = image.shape[0] // SIDE, image.shape[1] // SIDE
    table = np.empty((3, rows * columns))
    block = np.empty((SIDE, SIDE))
    count = 0
    for i in range(rows):
        for j in range(i % 4, columns, 4):
            total, largest, energy = 0.0, 0.0, 0.0
            for r in range(SIDE):
                for c in range(SIDE):
                    block[r, c] = image[i * SIDE + r, j * SIDE + c, k]
                    total += block[r, c]
                    largest = max(largest, block[r, c])
            for r in range(1, SIDE - 1):
                for c in range(1, SIDE - 1):
                    left = block[r - 1, c - 1] - 2.0 * block[r, c - 1] + block[r + 1, c - 1]
                    middle = block[r - 1, c] - 2.0 * block[r, c] + block[r + 1, c]
                    right = block[r - 1, c + 1] - 2.0 * block[r, c + 1] + block[r + 1, c + 1]
                    energy += ((left - 2.0 * middle + right) / 6.0) ** 2
            table[0, count] = total / SIDE**2
            table[1, count] = largest
            table[2, count] = np.sqrt(energy / (SIDE - 2) ** 2)
            count += 1
    return table[0, :count], table[1, :count], table[2, :count]


@compiled
def edge_widths(image: AnyArray, k: int, stride: int, least: float) -> AnyArray:
    """(E,) widths in pixels, as a standard deviation, of edges along every stride-th row.

    image: (H, W, 3), of which channel k is measured. least: smallest height of an edge in grey
    levels. Edges that reach white are left out.
    """
    height, columns = image.shape[:2]
    widths = np.empty(height * columns // stride + 1)
    count = 0
    line = np.empty(columns)
    for r in range(0, height, stride):
        for c in range(columns):
            line[c] = image[r, c, k]
        for c in range(8, columns - 9):
            here = line[c + 1] - line[c]
            if abs(here) < least / 6:
                continue
            before = (line[c] - line[c - 1]) * np.sign(here)
            after = (line[c + 2] - line[c + 1]) * np.sign(here)
            if before > abs(here) or after >= abs(here):
                continue
            low, high = c, c + 1
            while low > c - 6 and (line[low] - line[low - 1]) * here > 0:
                low -= 1
            while high < c + 7 and (line[high + 1] - line[high]) * here > 0:
                high += 1
            step = abs(line[high] - line[low])
            if step < least or max(line[high], line[low]) > 250:
                continue
            widths[count] = step / (abs(here) * np.sqrt(2 * np.pi))
            count += 1
    return widths[:count]
