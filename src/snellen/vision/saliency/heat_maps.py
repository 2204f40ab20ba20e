"""Heat maps from random masks and how well the subject did behind each of them."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from snellen.vision.arrays import F32
from snellen.vision.saliency.random_masks import GRID, KEEP, CoarseMasks, coarse_masks

_AT_ONCE = 32
"""Targets whose sums are kept in memory at once."""


def heat_maps(
    size: tuple[int, int],
    seeds: Sequence[int],
    weights: npt.ArrayLike,
    *,
    grid: tuple[int, int] = GRID,
    keep: float = KEEP,
    centred: bool = True,
) -> F32:
    """How much each pixel matters to each of T targets: (T, height, width) float32 in [0, 1].

    seeds: of the N masks. weights: (T, N) or (N,), how alike the answer behind each mask is to each
    target, such as `similarities` gives. The hottest pixel has 1.

    centred: the mean weight is taken off first, which makes a pixel's heat the covariance of
    "shown" and "found". A pixel that makes no difference has 0 then, up to chance, one that stands
    in the way too, and much of the chance in which masks were drawn cancels. Without it the heat is
    the weighted sum of masks as published, from its smallest value (0) to its largest (1).

    No full mask is ever made: sums are taken over masks that are stretched to the right alone, and
    each possible offset is stretched downwards once.
    """
    weighed = np.atleast_2d(np.asarray(weights, dtype=np.float64))
    if weighed.shape[1] != len(seeds):
        raise ValueError(f"one weight a mask: {len(seeds)} seeds, found {weighed.shape[1]} weights")
    if not np.isfinite(weighed).all():
        raise ValueError("weights of masks must be finite numbers")
    shown = weighed - weighed.mean(axis=1, keepdims=True) if centred else weighed
    masks = coarse_masks(size, seeds, grid=grid, keep=keep)
    return _scaled(weighted_sums(masks, shown.astype(np.float32)), centred)


def weighted_sums(masks: CoarseMasks, weights: F32) -> F32:
    """The sum over N masks by T rows of weights (T, N): (T, height, width) float32."""
    from snellen.vision.saliency.enlargement_kernels import add_between

    out = np.zeros((len(weights), *masks.size), dtype=np.float32)
    for offset in np.unique(masks.offsets[:, 0]):
        chosen = np.flatnonzero(masks.offsets[:, 0] == offset)
        some = masks[chosen]
        rows, down = some.stretched(), some[:1].axis(0)
        for start in range(0, len(out), _AT_ONCE):
            part = slice(start, start + _AT_ONCE)
            sums = np.tensordot(weights[part, chosen], rows, axes=1)
            for one, heat in zip(sums, out[part], strict=True):
                add_between(one, down.lower[0], down.share[0], heat)
    return out


def _scaled(sums: F32, centred: bool) -> F32:
    lowest = np.zeros((len(sums), 1, 1), np.float32)
    if not centred:
        lowest = sums.min(axis=(1, 2), keepdims=True)
    above = np.maximum(sums - lowest, 0)
    highest = above.max(axis=(1, 2), keepdims=True)
    return np.asarray(above / np.where(highest > 0, highest, 1), dtype=np.float32)
