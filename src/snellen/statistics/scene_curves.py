"""Confidence curves of a rate and of differences of two rates, scenes as the sampling units."""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt

from snellen.statistics.confidence_curve import ConfidenceCurve
from snellen.statistics.discordant_pairs import DiscordantPairs
from snellen.statistics.scene_counts import SceneCounts, scene_counts
from snellen.statistics.scene_model.neighbours import Neighbours
from snellen.statistics.scene_model.rate_bounds import UpperBounds, upper_bounds
from snellen.statistics.scene_model.scene_correlation import (
    CORRELATIONS,
    TILT,
    mean_design_effect,
    own_log_likelihood,
    posterior,
    prior,
)
from snellen.statistics.scene_model.scene_scatter import (
    Scatter,
    difference_scatter,
    paired_scatter,
    rate_scatter,
    scenes_with_both,
)
from snellen.statistics.scene_model.scene_skewness import rate_skewness
from snellen.vision.arrays import F64

Clustering = tuple[npt.ArrayLike, npt.ArrayLike]
"""Events and cases by scene of other events that show how alike the cases of a scene are."""

Bounds = tuple[UpperBounds, UpperBounds]
"""Of a rate, and of one minus that rate."""


def rate_curve(counts: SceneCounts, clustering: Clustering | None = None) -> ConfidenceCurve:
    """The confidence curve of one rate."""
    method = "clustered rate"
    if not counts.total:
        return no_data(0.0, method)
    further, weights = _further(clustering), prior()
    learned = posterior(own_log_likelihood(counts) + further, weights)
    scenes = scenes_with_both(counts)
    scatter = rate_scatter(counts, mean_design_effect(counts, learned), scenes)
    skewness = rate_skewness(counts, learned, scenes)
    above, below = both_sides(counts, counts, further, scatter, weights)
    return ConfidenceCurve(
        counts.rate,
        lambda score: 1 - below.at(skewness.lower(score)),
        lambda score: above.at(skewness.upper(score)),
        0.0,
        1.0,
        method,
    )


def difference_curve(
    a: SceneCounts, b: SceneCounts, clustering: Clustering | None = None
) -> ConfidenceCurve:
    """The confidence curve of the rate of a minus the rate of b; both over the same scenes."""
    if a.cases.shape != b.cases.shape:
        raise ValueError(
            f"both sides need one count per scene, in the same order; found {len(a.cases)} "
            f"scenes and {len(b.cases)}"
        )
    method = "clustered difference"
    if not a.total or not b.total:
        return no_data(-1.0, method)
    further, weights = _further(clustering), prior()
    own = [own_log_likelihood(one) for one in (a, b)]
    learned = posterior(own[0] + own[1] + further, weights)
    scatter = difference_scatter(
        a, b, mean_design_effect(a, learned), mean_design_effect(b, learned)
    )
    first = both_sides(a, a, own[1] + further, scatter, weights)
    return subtracted(first, both_sides(b, b, own[0] + further, scatter, weights), method)


def paired_curve(pairs: DiscordantPairs, clustering: Clustering | None = None) -> ConfidenceCurve:
    """The confidence curve of a paired difference, from its discordant pairs."""
    method = "clustered paired difference" + ("" if pairs.known else ", least discordance")
    if not pairs.first.total:
        return no_data(-1.0, method)
    either = pairs.either
    further, weights = _further(clustering), prior(TILT / pairs.discordant_share)
    learned = posterior(own_log_likelihood(either) + further, weights)
    scatter = paired_scatter(pairs, mean_design_effect(either, learned))
    ones = pairs.first, pairs.second
    lone = [float(np.sum(one.events * np.clip(2 - either.events, 0, 1))) for one in ones]
    first, second = (
        both_sides(
            one, either, further, scatter, weights,
            (Neighbours(either, mine), Neighbours(either, theirs, complement=True)),
        )
        for one, mine, theirs in zip(ones, lone, lone[::-1], strict=True)
    )  # fmt: skip
    return subtracted(first, second, method)


def no_data(least: float, method: str) -> ConfidenceCurve:
    """The curve of a figure between `least` and 1 that nothing is known of."""
    return ConfidenceCurve(math.nan, lambda _: least, lambda _: 1.0, least, 1.0, method)


def _further(clustering: Clustering | None) -> F64:
    """(correlations,) log-likelihood of other events; 0 without any."""
    if clustering is None:
        return np.zeros(len(CORRELATIONS))
    counts = scene_counts(*clustering, "clustering")
    return own_log_likelihood(counts) if counts.total else np.zeros(len(CORRELATIONS))


def both_sides(
    counts: SceneCounts,
    teaching: SceneCounts,
    others: F64,
    scatter: Scatter,
    weights: F64,
    near: tuple[Neighbours | None, Neighbours | None] = (None, None),
) -> Bounds:
    """Bounds of the rate, and of its complement, learned from the complement of the events.

    near: see `upper_bounds`, of each.
    """
    sides = (counts, teaching), (counts.others(), teaching.others())
    above, below = (
        upper_bounds(*side, others, scatter, weights, one)
        for side, one in zip(sides, near, strict=True)
    )
    return above, below


def subtracted(first: Bounds, second: Bounds, method: str, scale: float = 1.0) -> ConfidenceCurve:
    """The curve of the first rate minus `scale` times the second.

    The distances of the two rates to their bounds are squared and added (MOVER).
    """
    p, q = first[0].value, second[0].value
    value = p - scale * q

    def low(score: float) -> float:
        return value - math.hypot(p - 1 + first[1].at(score), scale * (second[0].at(score) - q))

    def high(score: float) -> float:
        return value + math.hypot(first[0].at(score) - p, scale * (q - 1 + second[1].at(score)))

    return ConfidenceCurve(value, low, high, -1.0, 1.0, method)
