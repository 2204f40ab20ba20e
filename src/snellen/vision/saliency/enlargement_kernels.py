"""Compiled loops that enlarge coarse masks: first to the right, then downwards.

Between two rows of cells every pixel is a weighted mean of the same two stretched rows, so the
second step reads and writes whole rows.
"""

from __future__ import annotations

import numpy as np

from snellen.vision.arrays import F32, Bytes, Ints
from snellen.vision.compilation import compiled


@compiled
def stretch(cells: F32, lower: Ints, share: F32, out: F32) -> None:
    """Fill out (N, rows, W) with cells (N, rows, columns), bilinear to the right.

    lower, share: (N, W), see `MaskAxis`.
    """
    count, rows, columns = cells.shape
    width = out.shape[2]
    for n in range(count):
        start = 0
        while start < width:
            cell = lower[n, start]
            stop = start + 1
            while stop < width and lower[n, stop] == cell:
                stop += 1
            for row in range(rows):
                first = cells[n, row, cell]
                step = cells[n, row, min(cell + 1, columns - 1)] - first
                for x in range(start, stop):
                    out[n, row, x] = first + step * share[n, x]
            start = stop


@compiled
def add_between(rows: F32, lower: Ints, share: F32, out: F32) -> None:
    """Add rows (R, W) to out (H, W), linear downwards; lower, share: (H,), see `MaskAxis`."""
    last = len(rows) - 1
    for y in range(len(out)):
        first, second, part = rows[lower[y]], rows[min(lower[y] + 1, last)], share[y]
        for x in range(out.shape[1]):
            out[y, x] += first[x] + (second[x] - first[x]) * part


@compiled
def show_through(
    image: Bytes,
    rows: F32,
    lower: Ints,
    share: F32,
    fill: F32,
    out: Bytes,
) -> None:
    """Fill out (H, K) with the image where a mask is 1, and with `fill` (K,) where it is 0.

    image: (H, K), K values per line, with interleaved channels. rows: (R, K) of the mask, stretched
    to the right; lower, share: (H,).
    """
    last = len(rows) - 1
    half = np.float32(0.5)
    for y in range(len(out)):
        first, second, part = rows[lower[y]], rows[min(lower[y] + 1, last)], share[y]
        for x in range(out.shape[1]):
            shown = first[x] + (second[x] - first[x]) * part
            hidden = fill[x]
            level = hidden + (np.float32(np.int32(image[y, x])) - hidden) * shown
            out[y, x] = np.uint8(np.int32(level + half))  # via int32, which vectorises
