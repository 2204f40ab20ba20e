"""Upper bounds of a rate at every level: a binomial tail averaged over intra-scene correlations."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy import special

from snellen.statistics.scene_counts import SceneCounts
from snellen.statistics.scene_model.neighbours import Neighbours
from snellen.statistics.scene_model.scene_correlation import (
    design_effects,
    log_likelihood,
    posterior,
)
from snellen.statistics.scene_model.scene_scatter import Scatter
from snellen.vision.arrays import F64

CANDIDATES = 16
TOP = 1e-4
"""Tail at the largest candidate, if cases were as alike as they may be."""
LEARNED_AT_CANDIDATE = 0.35
"""Share of the candidate, on the logit scale, in the rate at which correlations are weighted."""
EXACT = 0.75
"""Share of the exact tail; the rest is the tail that leaves the observed count out."""
_LEAST = 0.02
"""Events that stand for none, to start the candidates above 0."""


@dataclass(frozen=True, eq=False)
class UpperBounds:
    """Upper bounds of a rate: the normal score of the tail (falling) at candidates (logits)."""

    value: float
    logits: F64
    scores: F64

    def at(self, score: float) -> float:
        """The bound whose one-sided tail is the normal probability of `score`."""
        if self.value >= 1:
            return 1.0
        logit = np.interp(-score, -self.scores, self.logits)
        return max(float(special.expit(logit)), self.value)


def upper_bounds(
    counts: SceneCounts,
    teaching: SceneCounts,
    others: F64,
    scatter: Scatter,
    prior: F64,
    near: Neighbours | None = None,
) -> UpperBounds:
    """Bounds of the rate of `counts`.

    teaching: events of the same scenes that show how alike cases are. others: (correlations,) the
    log-likelihood of further events, added to theirs. scatter: between scenes. near: counts that a
    single event more or fewer leads to, of which a bound must not be too far.
    """
    least = _LEAST / counts.total
    start = max(counts.rate, least)
    logits = _candidates(counts, start, scatter)
    rates = special.expit(logits)
    taught = max(teaching.rate, least)
    shifted = special.logit(np.clip(taught + rates - start, 1e-12, 1 - 1e-6))
    share = LEARNED_AT_CANDIDATE
    learned = special.expit((1 - share) * special.logit(min(taught, 1 - 1e-12)) + share * shifted)
    learned = np.clip(learned, 1e-9, 1 - 1e-9)
    likelihood = near.log_likelihood(learned) if near else log_likelihood(teaching, learned)
    tails = np.sum(posterior(likelihood + others, prior) * _tails(counts, rates, scatter), axis=-1)
    scores = special.ndtri(np.clip(tails, 1e-15, 1 - 1e-12))
    falling = np.maximum.accumulate(scores[..., ::-1], axis=-1)[..., ::-1]
    if near:
        falling = near.farthest(falling, logits, counts.rate, counts.total)
    return UpperBounds(counts.rate, logits, falling)


def _candidates(counts: SceneCounts, start: float, scatter: Scatter) -> F64:
    """(candidates,) logits from the observed rate to where no correlation leaves a chance."""
    fewest = counts.total / float(scatter.applied(design_effects(counts)[-1:])[0])
    events = counts.rate * fewest
    top = special.betaincinv(events + 1, max(fewest - events, 1e-9), 1 - TOP)
    first = special.logit(min(start, 1 - 1e-12))
    last = special.logit(min(top, 1 - 1e-9)) if counts.rate < 1 else first
    return np.linspace(float(first), max(float(last), float(first) + 0.05), CANDIDATES)


def _tails(counts: SceneCounts, rates: F64, scatter: Scatter) -> F64:
    """(rates, correlations): chance of so few events among the effective cases."""
    effective = counts.total / scatter.applied(design_effects(counts))
    events, rest = counts.rate * effective, (1 - counts.rate) * effective
    above = special.betainc(events + 1, np.maximum(rest, 1e-9), rates[:, None])
    with_observed = np.ones_like(above)
    if counts.rate > 0:
        with_observed = special.betainc(events, rest + 1, rates[:, None])
    return np.asarray(1 - EXACT * above - (1 - EXACT) * with_observed)
