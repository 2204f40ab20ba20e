"""The cells of a network's feature maps, one row each, finest level first."""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from snellen.vision.arrays import F32

THREE_LEVELS = (8, 16, 32)
FOUR_LEVELS = (8, 16, 32, 64)


def levels(size: tuple[int, int], strides: tuple[int, ...]) -> list[tuple[int, int]]:
    """(rows, columns) of the feature map at each stride, for an input of (height, width)."""
    return [(-(-size[0] // stride), -(-size[1] // stride)) for stride in strides]


def cells(size: tuple[int, int], strides: tuple[int, ...]) -> int:
    """The total number of cells.

    >>> cells((640, 640), THREE_LEVELS), cells((416, 416), THREE_LEVELS)
    (8400, 3549)
    """
    return sum(rows * columns for rows, columns in levels(size, strides))


@lru_cache(maxsize=16)
def grid(size: tuple[int, int], strides: tuple[int, ...]) -> tuple[F32, F32]:
    """Each cell's (x, y) index, shape (A, 2), and its stride in pixels, shape (A, 1)."""
    places, steps = [], []
    for (rows, columns), stride in zip(levels(size, strides), strides, strict=True):
        y, x = np.divmod(np.arange(rows * columns), columns)
        places.append(np.stack([x, y], axis=1))
        steps.append(np.full((rows * columns, 1), stride))
    both = np.concatenate(places).astype(np.float32), np.concatenate(steps).astype(np.float32)
    for array in both:
        array.flags.writeable = False
    return both
