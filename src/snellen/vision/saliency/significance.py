"""Significance of heat maps from random masks: p-values of the hottest place."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt
from scipy import special

from snellen.vision.arrays import F32, F64
from snellen.vision.saliency.random_masks import GRID, KEEP, CoarseMasks, MaskAxis, coarse_masks

PER_CELL = 4
"""Positions sampled along one side of a cell."""
TESTS_PER_CELL = 5.0
"""The number of independent tests per cell: positions within a cell are correlated, not equal.
Determined by simulation with random weights."""
_BATCH = 256


def peak_p_values(
    size: tuple[int, int],
    seeds: Sequence[int],
    weights: npt.ArrayLike,
    *,
    grid: tuple[int, int] = GRID,
    keep: float = KEEP,
) -> F64:
    """The probability of such a hot place in each of T heat maps if no place matters, (T,).

    Arguments as in `heat_maps`. The heat of a pixel is a sum over masks, so under the null
    hypothesis it is normal around 0 with a variance given by the masks; the hottest place is
    corrected for `TESTS_PER_CELL` tests per cell (Bonferroni). With a large p-value the map is
    noise: use more masks, or a lower score threshold of the subject.

    >>> rng = np.random.default_rng(1)
    >>> peak_p_values((60, 80), range(200), rng.random(200))[0] > 0.01
    np.True_
    """
    weighed = np.atleast_2d(np.asarray(weights, dtype=np.float64))
    apart = weighed - weighed.mean(axis=1, keepdims=True)
    masks = coarse_masks(size, seeds, grid=grid, keep=keep)
    sums = np.zeros((len(apart), *(PER_CELL * side for side in grid)))
    squares = np.zeros_like(sums)
    for start in range(0, len(seeds), _BATCH):
        part = slice(start, start + _BATCH)
        shown, spread = _sampled_masks(masks[part])
        sums += np.tensordot(apart[:, part], shown, axes=1)
        squares += np.tensordot(apart[:, part] ** 2, spread, axes=1)
    with np.errstate(divide="ignore", invalid="ignore"):
        scores = np.where(squares > 0, sums / np.sqrt(squares * keep * (1 - keep)), 0.0)
    hottest = scores.reshape(len(scores), -1).max(axis=1)
    return np.asarray(np.minimum(1.0, TESTS_PER_CELL * grid[0] * grid[1] * special.ndtr(-hottest)))


def _sampled_masks(masks: CoarseMasks) -> tuple[F32, F32]:
    """N masks at sampled positions, and their variances relative to a single cell: (N, Y, X)."""
    from snellen.vision.saliency.enlargement_kernels import stretch

    down, right = (_sampled_axis(masks, side) for side in (0, 1))
    rows = np.empty((*masks.cells.shape[:2], right.lower.shape[1]), dtype=np.float32)
    stretch(masks.cells, right.lower, right.share, rows)
    next_one = np.minimum(down.lower + 1, masks.cells.shape[1] - 1)
    first, second = (
        np.take_along_axis(rows, at[:, :, None], axis=1) for at in (down.lower, next_one)
    )
    shown = first + (second - first) * down.share[:, :, None]
    across, along = (one.share**2 + (1 - one.share) ** 2 for one in (down, right))
    return shown, np.asarray(across[:, :, None] * along[:, None, :])


def _sampled_axis(masks: CoarseMasks, side: int) -> MaskAxis:
    """The sampled positions along one side, evenly over the image."""
    whole = masks.axis(side)
    count = PER_CELL * masks.cells.shape[1 + side]
    places = ((np.arange(count) + 0.5) * masks.size[side] / count).astype(np.int64)
    return MaskAxis(whole.lower[:, places].copy(), whole.share[:, places].copy())
