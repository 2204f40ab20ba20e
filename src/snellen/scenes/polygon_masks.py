"""Masks given as polygons, rasterised on first use."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import Any, TypeAlias

import numpy as np

from snellen.vision.arrays import F64, Runs
from snellen.vision.masks.rle_masks import Masks

TOO_LONG = "the outline of the polygon is too long or too far outside of the image to be drawn"

Outline: TypeAlias = Runs | tuple[F64, ...]


class PolygonMasks(Masks):
    """N masks of one image, each held as run lengths or as polygons until its pixels are needed.

    A data set then opens without rasterising, and a scene is sent to a worker as small polygons.
    """

    outlines: tuple[Outline, ...]

    def __init__(self, size: tuple[int, int], outlines: Sequence[Outline]) -> None:
        object.__setattr__(self, "size", size)
        object.__setattr__(self, "outlines", tuple(outlines))

    @cached_property
    def runs(self) -> tuple[Runs, ...]:
        """N arrays of uint32 run lengths, column-major, starting with background."""
        return tuple(_runs(outline, self.size) for outline in self.outlines)

    def __len__(self) -> int:
        return len(self.outlines)

    def __getitem__(self, index: Any) -> Masks:
        """The masks that an integer, slice, index array or boolean array selects."""
        chosen = np.atleast_1d(np.arange(len(self))[index])
        return PolygonMasks(self.size, [self.outlines[i] for i in chosen])

    def __reduce__(self) -> tuple[Any, ...]:
        return PolygonMasks, (self.size, self.outlines)


def can_be_drawn(corners: F64, size: tuple[int, int], reach: float) -> bool:
    """Whether a polygon can be rasterised in time and memory in proportion to its image.

    An outline has at most four sides a pixel. corners: (K, 2) pixels, finite. reach: the largest
    distance of a coordinate from 0, from which most polygons are known to be short enough.
    """
    most = 4 * size[0] * size[1] + 8 * (size[0] + size[1])
    if 2 * reach * len(corners) <= most:
        return True
    with np.errstate(over="ignore"):
        steps = np.abs(corners - np.roll(corners, 1, axis=0)).max(axis=1)
        return bool(steps.sum() <= most)


def _runs(outline: Outline, size: tuple[int, int]) -> Runs:
    if not isinstance(outline, tuple):
        return outline
    from snellen.vision.masks.polygons import masks_of_polygons

    return masks_of_polygons([outline], size).runs[0]
