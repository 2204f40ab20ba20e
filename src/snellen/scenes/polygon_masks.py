"""Masks given as polygons, rasterised on first use."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import Any, TypeAlias

import numpy as np

from snellen.vision.arrays import F64, Runs
from snellen.vision.masks.rle_masks import Masks

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


def _runs(outline: Outline, size: tuple[int, int]) -> Runs:
    if not isinstance(outline, tuple):
        return outline
    from snellen.vision.masks.polygons import masks_of_polygons

    return masks_of_polygons([outline], size).runs[0]
