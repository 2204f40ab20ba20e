"""Does one thing rise with another? Rank correlation with an interval by scene."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from snellen.statistics.bootstrap import percentile_interval
from snellen.statistics.intervals import CONFIDENCE, Interval
from snellen.vision.arrays import F64

_AT_ONCE = 1 << 21


def spearman(x: npt.ArrayLike, y: npt.ArrayLike) -> float:
    """Spearman's rank correlation, -1 to 1, ties at their mean rank; NaN where one is constant.

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

    x, y: (N,) such as uncertainty and failure rate. scenes: (N,) whole numbers, the scene of each.
    weights: (replicates, scenes) from `snellen.statistics.bootstrap.scene_weights`.
    """
    first, second = _columns(x, y)
    place = np.asarray(scenes, dtype=np.int64)
    if place.shape != first.shape or (place.size and place.max() >= weights.shape[1]):
        raise ValueError(
            f"one scene for each of {len(first)} objects, below {weights.shape[1]}; found {place}"
        )
    step = max(1, _AT_ONCE // max(len(first), 1))
    pieces = [
        weighted_spearman(first, second, weights[start : start + step, place])
        for start in range(0, len(weights), step)
    ]
    return percentile_interval(spearman(first, second), np.concatenate(pieces), confidence)


def weighted_spearman(x: F64, y: F64, weights: F64) -> F64:
    """Spearman's correlation where each of N pairs stands there `weights` times: (R,).

    weights: (R, N), whole numbers of 0 or more. NaN where what is left of x or y is constant.
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
    """(R, N) mean ranks of N values that stand there `weights` times."""
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
            f"a correlation needs 2 pairs or more; found {len(first)} and {len(second)} values"
        )
    if not (np.isfinite(first).all() and np.isfinite(second).all()):
        raise ValueError("a correlation needs finite numbers; leave out what has no value")
    return first, second
