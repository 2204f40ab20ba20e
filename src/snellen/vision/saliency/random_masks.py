"""Random masks that show parts of an image and hide the rest (RISE and D-RISE, Petsiuk et al.).

A coarse grid of cells, each shown with probability `keep`, is enlarged bilinearly to one cell more
per side than the image, and cropped to the image at a random offset of up to one cell. A mask is a
function of its seed, so that a question stores the seed instead of pixels.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from snellen.vision.arrays import F32, Ints

GRID = (16, 16)
KEEP = 0.5


@dataclass(frozen=True, eq=False)
class MaskAxis:
    """The position of pixels between cells, along one side of N masks.

    lower: (N, length) the cell at or before each pixel. share: (N, length) float32, the weight of
    the next cell, 0 to 1.
    """

    lower: Ints
    share: F32


@dataclass(frozen=True, eq=False)
class CoarseMasks:
    """N masks before enlargement.

    size: (height, width) of the image in pixels. cells: (N, rows, columns) float32 of 0 and 1.
    offsets: (N, 2) integer pixels, down and to the right, at which the image starts.
    """

    size: tuple[int, int]
    cells: F32
    offsets: Ints

    def __getitem__(self, chosen: Ints | slice) -> CoarseMasks:
        """The masks that an index array or slice selects."""
        return CoarseMasks(self.size, self.cells[chosen], self.offsets[chosen])

    def axis(self, side: int) -> MaskAxis:
        """The position of pixels between cells: side 0 downwards, side 1 to the right."""
        length, cells = self.size[side], self.cells.shape[1 + side]
        step = cells / ((cells + 1) * cell_length(length, cells))
        pixels = np.arange(length) + self.offsets[:, side, None]
        place = np.clip((pixels + 0.5) * step - 0.5, 0, cells - 1)
        lower = np.minimum(place.astype(np.int64), max(cells - 2, 0))
        return MaskAxis(lower, (place - lower).astype(np.float32))

    def stretched(self) -> F32:
        """The masks enlarged to the right only, (N, rows, width) float32."""
        from snellen.vision.saliency.enlargement_kernels import stretch

        right = self.axis(1)
        out = np.empty((*self.cells.shape[:2], self.size[1]), dtype=np.float32)
        stretch(self.cells, right.lower, right.share, out)
        return out

    def enlarged(self) -> F32:
        """The masks, (N, height, width) float32 in [0, 1]."""
        from snellen.vision.saliency.enlargement_kernels import add_between

        down, rows = self.axis(0), self.stretched()
        out = np.zeros((len(self.cells), *self.size), dtype=np.float32)
        for one, mask in enumerate(out):
            add_between(rows[one], down.lower[one], down.share[one], mask)
        return out


def cell_length(length: int, cells: int) -> int:
    """Pixels of a cell along a side, rounded up; also the largest offset."""
    return -(-length // cells)


def coarse_masks(
    size: tuple[int, int],
    seeds: Sequence[int] | Ints,
    *,
    grid: tuple[int, int] = GRID,
    keep: float = KEEP,
) -> CoarseMasks:
    """The masks of seeds before enlargement.

    size: (height, width) of the image in pixels. grid: rows and columns of cells. keep: the share
    of cells that is shown, between 0 and 1.
    """
    _check(size, grid, keep)
    cells = np.empty((len(seeds), *grid), dtype=np.float32)
    offsets = np.empty((len(seeds), 2), dtype=np.int64)
    most = [cell_length(length, count) + 1 for length, count in zip(size, grid, strict=True)]
    for one, seed in enumerate(seeds):
        rng = np.random.Generator(np.random.PCG64(int(seed)))
        cells[one] = rng.random(grid) < keep
        offsets[one] = rng.integers(0, most)
    return CoarseMasks(size, cells, offsets)


def saliency_mask(
    size: tuple[int, int],
    seed: int,
    *,
    grid: tuple[int, int] = GRID,
    keep: float = KEEP,
) -> F32:
    """The mask of a seed: (height, width) float32, 1 where the image is shown, 0 where hidden.

    >>> mask = saliency_mask((48, 64), seed=7, grid=(4, 4))
    >>> mask.shape, float(mask.min()), float(mask.max())
    ((48, 64), 0.0, 1.0)
    """
    return np.asarray(coarse_masks(size, [seed], grid=grid, keep=keep).enlarged()[0])


def _check(size: tuple[int, int], grid: tuple[int, int], keep: float) -> None:
    if min(size) < 1:
        raise ValueError(f"an image has at least 1 pixel per side; found height, width {size}")
    if min(grid) < 1:
        raise ValueError(f"a grid has at least 1 row and 1 column of cells; found {grid}")
    if not 0 < keep < 1:
        raise ValueError(f"keep is a share between 0 and 1, both excluded; found {keep}")
