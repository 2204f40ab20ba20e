"""A plain measure of overlap, from masks on one canvas: the reference for layouts."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from snellen.vision.arrays import Bools


def on_canvas(shape: npt.NDArray, x: int, y: int, size: tuple[int, int]) -> Bools:
    """The shape on a canvas of (height, width), entirely inside it."""
    canvas = np.zeros(size, dtype=bool)
    part = canvas[y : y + shape.shape[0], x : x + shape.shape[1]]
    assert part.shape == shape.shape, "outside of the canvas"
    part[...] = shape != 0
    return canvas


def overlap_of(masks: Sequence[Bools]) -> float:
    """The largest share of a mask that covers those behind it or is covered by those in front."""
    shares = [0.0]
    for place, mask in enumerate(masks):
        for others in (masks[:place], masks[place + 1 :]):
            both = mask & np.any(others, axis=0) if others else np.zeros_like(mask)
            shares.append(both.sum() / mask.sum())
    return max(shares)


def touch(one: Bools, other: Bools) -> bool:
    """Whether the two share pixels, or have pixels that touch at a side or a corner."""
    wide = np.pad(one, 1)
    rows, columns = one.shape
    return any(
        bool((wide[1 + y : 1 + y + rows, 1 + x : 1 + x + columns] & other).any())
        for y in (-1, 0, 1)
        for x in (-1, 0, 1)
    )
