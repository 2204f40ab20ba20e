"""Heat maps from random masks and the subject's answers to them."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from snellen.vision.arrays import F32
from snellen.vision.saliency.random_masks import GRID, KEEP, CoarseMasks, coarse_masks

_BATCH = 32
"""Targets per batch, to limit memory."""


def heat_maps(
    size: tuple[int, int],
    seeds: Sequence[int],
    weights: npt.ArrayLike,
    *,
    grid: tuple[int, int] = GRID,
    keep: float = KEEP,
    centred: bool = True,
) -> F32:
    """The importance of each pixel to each of T targets: (T, height, width) float32 in [0, 1].

    seeds: of the N masks. weights: (T, N) or (N,), the similarity of the answer with each mask to
    each target, as from `similarities`. The hottest pixel has 1.

    centred: the mean weight is subtracted first, which makes the heat of a pixel the covariance of
    "shown" and "found". Pixels without effect then have 0, up to chance, as do those with a
    negative effect, and much of the randomness of the masks cancels. Otherwise the heat is the
    weighted sum of masks as published, scaled from its smallest value (0) to its largest (1).

    Full masks are never computed: masks are stretched to the right and summed, and each offset is
    stretched downwards once.
    """
    weighed = np.atleast_2d(np.asarray(weights, dtype=np.float64))
    if weighed.shape[1] != len(seeds):
        raise ValueError(
            f"one weight per mask: {len(seeds)} seeds, found {weighed.shape[1]} weights"
        )
    if not np.isfinite(weighed).all():
        raise ValueError("weights of masks must be finite numbers")
    shown = weighed - weighed.mean(axis=1, keepdims=True) if centred else weighed
    masks = coarse_masks(size, seeds, grid=grid, keep=keep)
    return _scaled(weighted_sums(masks, shown.astype(np.float32)), centred)


def weighted_sums(masks: CoarseMasks, weights: F32) -> F32:
    """The weighted sums of N masks for weights (T, N): (T, height, width) float32."""
    from snellen.vision.saliency.enlargement_kernels import add_between

    out = np.zeros((len(weights), *masks.size), dtype=np.float32)
    for offset in np.unique(masks.offsets[:, 0]):
        chosen = np.flatnonzero(masks.offsets[:, 0] == offset)
        some = masks[chosen]
        rows, down = some.stretched(), some[:1].axis(0)
        for start in range(0, len(out), _BATCH):
            part = slice(start, start + _BATCH)
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
