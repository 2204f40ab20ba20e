"""Compiled loops that measure a picture's noise and sharpness."""

from __future__ import annotations

from typing import Any

import numpy as np

from snellen.vision.compiled import compiled

Array = Any

SIDE = 8


@compiled
def block_noise(channel: Array) -> Any:
    """Mean, largest value and noise (standard deviation) of every fourth 8 x 8 block, (B,) each.

    The noise is the root mean square of what is left when planes and edges along rows or columns
    are taken away: a second difference down of a second difference across, over 6.
    """
    rows, columns = channel.shape[0] // SIDE, channel.shape[1] // SIDE
    table = np.empty((3, rows * columns))
    count = 0
    for i in range(rows):
        for j in range(i % 4, columns, 4):
            total, largest, energy = 0.0, 0.0, 0.0
            for r in range(i * SIDE, (i + 1) * SIDE):
                for c in range(j * SIDE, (j + 1) * SIDE):
                    total += channel[r, c]
                    largest = max(largest, float(channel[r, c]))
            for r in range(i * SIDE + 1, (i + 1) * SIDE - 1):
                for c in range(j * SIDE + 1, (j + 1) * SIDE - 1):
                    left = channel[r - 1, c - 1] - 2.0 * channel[r, c - 1] + channel[r + 1, c - 1]
                    middle = channel[r - 1, c] - 2.0 * channel[r, c] + channel[r + 1, c]
                    right = channel[r - 1, c + 1] - 2.0 * channel[r, c + 1] + channel[r + 1, c + 1]
                    energy += ((left - 2.0 * middle + right) / 6.0) ** 2
            table[0, count] = total / SIDE**2
            table[1, count] = largest
            table[2, count] = np.sqrt(energy / (SIDE - 2) ** 2)
            count += 1
    return table[0, :count], table[1, :count], table[2, :count]


@compiled
def edge_widths(channel: Array, stride: int, least: float) -> Array:
    """(E,) widths in pixels, as a standard deviation, of edges across every stride-th row.

    least: grey levels from one side to the other. Edges that reach white are left out.
    """
    widths = np.empty(channel.size // stride + 1)
    count = 0
    columns = channel.shape[1]
    line = np.empty(columns)
    for r in range(0, channel.shape[0], stride):
        for c in range(columns):
            line[c] = channel[r, c]
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
