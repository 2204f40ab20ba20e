"""Rank correlation of two quantities, with an interval by scene."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from snellen.statistics.bootstrap import percentile_interval
from snellen.statistics.intervals import CONFIDENCE, Interval
from snellen.vision.arrays import F64

_BATCH = 1 << 21


def spearman(x: npt.ArrayLike, y: npt.ArrayLike) -> float:
    """Spearman's rank correlation in [-1, 1], ties at their mean rank; NaN if one is constant.

    >>> round(spearman([1, 2, 3, 4], [10, 20, 30, 25]), 6)
    0.8
    """
    first, second = _columns(x, y)
    return float(weighted_spearman(first, second, np.ones((1, len(first))))[0])


def rank_correlation(
    x: npt.ArrayLike,
    y: npt.ArrayLike,
    scenes: npt.ArrayLike,
    weights: F64,
    confidence: float = CONFIDENCE,
) -> Interval:
    """Spearman's rank correlation of N objects, with a bootstrap interval by scene.

    x, y: (N,) such as uncertainty and failure rate. scenes: (N,) integers, the scene of each.
    weights: (replicates, scenes) from `snellen.statistics.bootstrap.scene_weights`.
    """
    first, second = _columns(x, y)
    place = np.asarray(scenes, dtype=np.int64)
    if place.shape != first.shape or (place.size and place.max() >= weights.shape[1]):
        raise ValueError(
            f"one scene for each of {len(first)} objects, below {weights.shape[1]}; found {place}"
        )
    step = max(1, _BATCH // max(len(first), 1))
    pieces = [
        weighted_spearman(first, second, weights[start : start + step, place])
        for start in range(0, len(weights), step)
    ]
    return percentile_interval(spearman(first, second), np.concatenate(pieces), confidence)


def weighted_spearman(x: F64, y: F64, weights: F64) -> F64:
    """Spearman's correlation with each of N pairs repeated `weights` times: (R,).

    weights: (R, N), integers of 0 or more. NaN if the remaining values of x or y are constant.
    """
    ranks = [_ranks(values, weights) for values in (x, y)]
    totals = weights.sum(axis=1)
    apart = [rank - ((weights * rank).sum(axis=1) / totals)[:, None] for rank in ranks]
    together = (weights * apart[0] * apart[1]).sum(axis=1)
    alone = [(weights * one**2).sum(axis=1) for one in apart]
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.asarray(
            np.where(alone[0] * alone[1] > 0, together / np.sqrt(alone[0] * alone[1]), np.nan)
        )


def _ranks(values: F64, weights: F64) -> F64:
    """(R, N) mean ranks of N values repeated `weights` times."""
    names, group = np.unique(values, return_inverse=True)
    order = np.argsort(group, kind="stable")
    starts = np.searchsorted(group[order], np.arange(len(names)))
    sizes = np.add.reduceat(weights[:, order], starts, axis=1)
    below = np.cumsum(sizes, axis=1) - sizes
    return np.asarray((below + (sizes + 1) / 2)[:, group])


def _columns(x: npt.ArrayLike, y: npt.ArrayLike) -> tuple[F64, F64]:
    first, second = (np.asarray(one, dtype=np.float64).reshape(-1) for one in (x, y))
    if first.shape != second.shape or len(first) < 2:
        raise ValueError(
            f"a correlation needs at least 2 pairs; found {len(first)} and {len(second)} values"
        )
    if not (np.isfinite(first).all() and np.isfinite(second).all()):
        raise ValueError("a correlation needs finite numbers; leave out missing values")
    return first, second
