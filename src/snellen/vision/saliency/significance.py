"""Could the heat of random masks be chance? How hot the hottest place would be if it were."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt
from scipy import special

from snellen.vision.arrays import F32, F64
from snellen.vision.saliency.random_masks import GRID, KEEP, CoarseMasks, MaskAxis, coarse_masks

A_CELL = 4
"""Places that are looked at along one side of a cell."""
APART = 5.0
"""Cells count so many times: places within a cell are alike, but not the same.
Found by simulation of weights that mean nothing."""
_AT_ONCE = 256


def peak_p_values(
    size: tuple[int, int],
    seeds: Sequence[int],
    weights: npt.ArrayLike,
    *,
    grid: tuple[int, int] = GRID,
    keep: float = KEEP,
) -> F64:
    """The chance of so hot a place in each of T heat maps if no place made a difference, (T,).

    Arguments as of `heat_maps`. A pixel's heat is a sum over masks, so by chance alone it is normal
    about 0 with a variance that the masks tell; of as many places as there are cells, counted
    `APART` times, one is the hottest (Bonferroni). A contour of a map with a large p-value is a
    contour around noise: more masks are needed, or a lower score threshold of the subject.

    >>> rng = np.random.default_rng(1)
    >>> peak_p_values((60, 80), range(200), rng.random(200))[0] > 0.01
    np.True_
    """
    weighed = np.atleast_2d(np.asarray(weights, dtype=np.float64))
    apart = weighed - weighed.mean(axis=1, keepdims=True)
    masks = coarse_masks(size, seeds, grid=grid, keep=keep)
    sums = np.zeros((len(apart), *(A_CELL * side for side in grid)))
    squares = np.zeros_like(sums)
    for start in range(0, len(seeds), _AT_ONCE):
        part = slice(start, start + _AT_ONCE)
        shown, spread = _looked_at(masks[part])
        sums += np.tensordot(apart[:, part], shown, axes=1)
        squares += np.tensordot(apart[:, part] ** 2, spread, axes=1)
    with np.errstate(divide="ignore", invalid="ignore"):
        scores = np.where(squares > 0, sums / np.sqrt(squares * keep * (1 - keep)), 0.0)
    hottest = scores.reshape(len(scores), -1).max(axis=1)
    return np.asarray(np.minimum(1.0, APART * grid[0] * grid[1] * special.ndtr(-hottest)))


def _looked_at(masks: CoarseMasks) -> tuple[F32, F32]:
    """N masks at some places, and their variances there in those of a single cell: (N, Y, X)."""
    from snellen.vision.saliency.enlargement_kernels import stretch

    down, right = (_some(masks, side) for side in (0, 1))
    rows = np.empty((*masks.cells.shape[:2], right.lower.shape[1]), dtype=np.float32)
    stretch(masks.cells, right.lower, right.share, rows)
    next_one = np.minimum(down.lower + 1, masks.cells.shape[1] - 1)
    first, second = (
        np.take_along_axis(rows, at[:, :, None], axis=1) for at in (down.lower, next_one)
    )
    shown = first + (second - first) * down.share[:, :, None]
    across, along = (one.share**2 + (1 - one.share) ** 2 for one in (down, right))
    return shown, np.asarray(across[:, :, None] * along[:, None, :])


def _some(masks: CoarseMasks, side: int) -> MaskAxis:
    """The places that are looked at along one side, evenly over the image."""
    whole = masks.axis(side)
    count = A_CELL * masks.cells.shape[1 + side]
    places = ((np.arange(count) + 0.5) * masks.size[side] / count).astype(np.int64)
    return MaskAxis(whole.lower[:, places].copy(), whole.share[:, places].copy())
