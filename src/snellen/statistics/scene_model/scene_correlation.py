"""How alike the cases of a scene are: weights of intra-scene correlations, learned from counts.

The correlation of two cases of one scene (ICC) runs over a grid. Each value is weighted by a prior
times the beta-binomial likelihood of the counts, in which scenes have rates of their own.
"""

from __future__ import annotations

import numpy as np
from scipy import special

from snellen.statistics.scene_counts import SceneCounts
from snellen.vision.arrays import F64

CORRELATIONS = np.array([0.0, 0.01, 0.03, 0.07, 0.13, 0.22, 0.35, 0.5, 0.7])
TILT = 1.5
"""Exponent of the prior, as of Beta(1, TILT): larger values expect less correlation."""
INDEPENDENT = 0.10
"""Prior weight added to no correlation at all."""

DAMPING = 0.15
"""Scenes with events, for each case of a scene beyond the first, that halve the likelihood."""

_SCALES = (1 - CORRELATIONS[1:]) / CORRELATIONS[1:]


def prior(tilt: float = TILT) -> F64:
    """(correlations,) prior weights that sum to 1."""
    density = np.gradient(CORRELATIONS) * (1 - CORRELATIONS) ** (tilt - 1)
    density /= density.sum()
    density[0] += INDEPENDENT
    return np.asarray(density / density.sum())


def log_likelihood(counts: SceneCounts, rates: F64) -> F64:
    """(rates, correlations) of beta-binomial scenes, up to a constant; rates: (rates,) in (0, 1).

    With few scenes that have events it is damped, so that a single further case does not overturn
    what was learned.
    """
    return np.asarray(undamped_log_likelihood(counts, rates) * _trust(counts))


def undamped_log_likelihood(counts: SceneCounts, rates: F64) -> F64:
    """As `log_likelihood`, to the full.

    The beta function splits into terms of events, other cases and all cases, so equal counts are
    computed once, whichever scenes they belong to.
    """
    events, total = counts.events.sum(), counts.total
    alone = events * np.log(rates) + (total - events) * np.log1p(-rates)
    a, b = rates[:, None] * _SCALES, (1 - rates)[:, None] * _SCALES
    rising = _log_rising(counts.events, a) + _log_rising(counts.cases - counts.events, b)
    return np.concatenate([alone[:, None], rising - _log_rising(counts.cases, _SCALES)], axis=1)


def _trust(counts: SceneCounts) -> float:
    """The exponent of the likelihood: near 0 if few scenes have events, 1 for single cases."""
    doubtful = DAMPING * max(counts.typical_size - 1, 0.0)
    return counts.telling_scenes / (counts.telling_scenes + doubtful + 1e-12)


def _log_rising(values: F64, start: F64) -> F64:
    """Sum over values v of log Gamma(start + v) - log Gamma(start), in the shape of start."""
    found, times = np.unique(values[values > 0], return_counts=True)
    terms = special.gammaln(start[..., None] + found) - special.gammaln(start)[..., None]
    return np.asarray(terms @ times.astype(np.float64))


def own_log_likelihood(counts: SceneCounts) -> F64:
    """(correlations,) at the rate of the counts themselves, with the largest set to 0."""
    rate = (counts.events.sum() + 0.5) / (counts.total + 1)
    found = log_likelihood(counts, np.array([rate]))[0]
    return np.asarray(found - found.max())


def posterior(likelihood: F64, weights: F64) -> F64:
    """Prior weights times likelihood, normalised over the last axis."""
    found = likelihood + np.log(weights)
    found = np.exp(found - found.max(axis=-1, keepdims=True))
    return np.asarray(found / found.sum(axis=-1, keepdims=True))


def design_effects(counts: SceneCounts) -> F64:
    """(correlations,) clustered cases that are worth one independent case."""
    return 1 + (counts.typical_size - 1) * CORRELATIONS


def mean_design_effect(counts: SceneCounts, weights: F64) -> float:
    """The design effect averaged over weighted correlations."""
    return float(weights @ design_effects(counts))
