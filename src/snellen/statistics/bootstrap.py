"""The bootstrap by scene: scenes are drawn with replacement, not single cases.

The cases of a scene are correlated, so the scene is the sampling unit. A replicate is a row of
weights (how often each scene was drawn), and a statistic that is a function of sums over scenes is
recomputed for all replicates by one matrix product. The same weights serve every metric and every
subject of a run, which keeps comparisons paired.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal

import numpy as np
import numpy.typing as npt
from scipy import special

from snellen.statistics.intervals import CONFIDENCE, Interval
from snellen.vision.arrays import F64

Method = Literal["studentised", "bca", "percentile"]
Smooth = Callable[[F64], tuple[F64, F64]]
"""From sums (..., K) to a statistic (...) and its gradient with respect to the sums (..., K)."""

_PIECE = 1 << 18
_DRAWS = 1 << 16
_ALIKE = 1e-12


def scene_weights(scenes: int, replicates: int, rng: np.random.Generator) -> F64:
    """How often each scene is drawn in each replicate: (replicates, scenes), rows sum to `scenes`.

    >>> scene_weights(4, 2, np.random.default_rng(1)).sum(axis=1).tolist()
    [4.0, 4.0]
    """
    if scenes < 1 or replicates < 1:
        raise ValueError(f"need at least 1 scene and 1 replicate; found {scenes}, {replicates}")
    weights = np.empty((replicates, scenes))
    step = max(1, _DRAWS // scenes)
    for start in range(0, replicates, step):
        block = weights[start : start + step]
        drawn = rng.integers(0, scenes, block.shape) + np.arange(0, block.size, scenes)[:, None]
        block[:] = np.bincount(drawn.ravel(), minlength=block.size).reshape(block.shape)
    return weights


def weighted_sums(weights: F64, rows: F64) -> F64:
    """The sums of `rows` (scenes, K) under each row of weights: (replicates, K).

    Computed in pieces that BLAS keeps on one core: products of this size gain nothing from threads
    and wait for them while the cores are busy with a subject.
    """
    step = max(16, _PIECE // max(rows.size, 1))
    pieces = [weights[start : start + step] @ rows for start in range(0, len(weights), step)]
    return np.concatenate(pieces)


def ratio(sums: F64) -> tuple[F64, F64]:
    """The first sum divided by the second, and its gradient; sums: (..., 2)."""
    top, bottom = sums[..., 0], sums[..., 1]
    with np.errstate(divide="ignore", invalid="ignore"):
        value = top / bottom
        return value, np.stack([1 / bottom, -value / bottom], axis=-1)


def difference_of_ratios(sums: F64) -> tuple[F64, F64]:
    """One ratio minus another, and its gradient; sums: (..., 4), two for each ratio."""
    first, of_first = ratio(sums[..., :2])
    second, of_second = ratio(sums[..., 2:])
    return first - second, np.concatenate([of_first, -of_second], axis=-1)


def interval_by_scene(
    rows: F64,
    statistic: Smooth,
    weights: F64,
    method: Method = "studentised",
    confidence: float = CONFIDENCE,
) -> Interval:
    """The statistic of the sums of `rows`, with its bootstrap interval.

    rows: (scenes, K), the contribution of each scene to each sum. weights: (replicates, scenes).
    Replicates without a value (no cases drawn) are left out. A mean of x over scenes is the
    `ratio` of rows (x, 1).
    """
    if rows.shape[0] != weights.shape[1]:
        raise ValueError(f"found {rows.shape[0]} scenes, but weights for {weights.shape[1]}")
    tails = np.array([(1 - confidence) / 2, (1 + confidence) / 2])
    ends = {"studentised": _studentised, "bca": _bca, "percentile": _percentile}[method]
    low, high = ends(rows, statistic, weights, tails)
    value = float(statistic(rows.sum(axis=0))[0])
    return Interval(value, float(low), float(high), f"{method} bootstrap by scene", confidence)


def percentile_interval(
    value: float, replicates: npt.ArrayLike, confidence: float = CONFIDENCE
) -> Interval:
    """The percentile interval of any statistic, such as average precision.

    replicates: (replicates,), the statistic under each row of `scene_weights`; NaN is left out.
    """
    values = np.asarray(replicates, dtype=np.float64)
    values = values[np.isfinite(values)]
    low, high = np.nan, np.nan
    if values.size:
        low, high = np.quantile(values, [(1 - confidence) / 2, (1 + confidence) / 2])
    return Interval(
        float(value), float(low), float(high), "percentile bootstrap by scene", confidence
    )


def standard_error(rows: F64, statistic: Smooth) -> float:
    """The linearised standard error of the statistic, with scenes as units."""
    return float(_with_errors(rows, statistic, np.ones((1, len(rows))))[1][0])


def _with_errors(rows: F64, statistic: Smooth, weights: F64) -> tuple[F64, F64]:
    """The statistic under each row of weights, and its linearised standard error."""
    scenes, terms = rows.shape
    products = (rows[:, :, None] * rows[:, None, :]).reshape(scenes, terms * terms)
    totals = weighted_sums(weights, np.concatenate([rows, products], axis=1))
    sums, moments = totals[:, :terms], totals[:, terms:].reshape(-1, terms, terms)
    values, gradient = statistic(sums)
    squares = np.einsum("ri,rij,rj->r", gradient, moments, gradient)
    squares -= np.einsum("ri,ri->r", gradient, sums) ** 2 / scenes
    return values, np.sqrt(np.maximum(squares, 0) * scenes / max(scenes - 1, 1))


def _studentised(rows: F64, statistic: Smooth, weights: F64, tails: F64) -> F64:
    [value], [error] = _with_errors(rows, statistic, np.ones((1, len(rows))))
    if error <= _ALIKE:  # all scenes have the same value
        return np.array([value, value])
    values, errors = _with_errors(rows, statistic, weights)
    with np.errstate(divide="ignore", invalid="ignore"):
        pivots = (values - value) / errors
    pivots = pivots[~np.isnan(pivots)]
    if not pivots.size:
        return np.array([value, value])
    low, high = np.quantile(pivots, tails, method="nearest")
    return np.array([value - high * error, value - low * error])


def _percentile(rows: F64, statistic: Smooth, weights: F64, levels: F64) -> F64:
    values = statistic(weighted_sums(weights, rows))[0]
    return np.asarray(np.quantile(values[np.isfinite(values)], levels))


def _bca(rows: F64, statistic: Smooth, weights: F64, tails: F64) -> F64:
    sums = rows.sum(axis=0)
    values = statistic(weighted_sums(weights, rows))[0]
    values = values[np.isfinite(values)]
    below = np.mean(values < statistic(sums)[0]) + np.mean(values == statistic(sums)[0]) / 2
    without = statistic(sums - rows)[0]
    pull = np.nanmean(without) - without[np.isfinite(without)]
    spread = np.sum(pull**2)
    acceleration = np.sum(pull**3) / (6 * spread**1.5) if spread > 0 else 0.0
    bias = special.ndtri(np.clip(below, 1e-12, 1 - 1e-12))
    shifted = bias + special.ndtri(tails)
    return np.asarray(
        np.quantile(values, special.ndtr(bias + shifted / (1 - acceleration * shifted)))
    )
