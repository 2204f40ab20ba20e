"""The fitted curve of people together, and its threshold with a credible interval."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from snellen.statistics.intervals import CONFIDENCE
from snellen.study.estimates.curve.answer_spread import design_effect
from snellen.study.estimates.curve.curve_family import FAMILIES, FamilyName
from snellen.study.estimates.curve.curve_posterior import (
    FALL,
    CurvePosterior,
    curve_posterior,
    performance,
)
from snellen.study.estimates.curve.judged_trials import JudgedTrials
from snellen.vision.arrays import F64

LEAST = 10
"""Answers below which nothing is fitted."""


@dataclass(frozen=True, eq=False)
class CurveFit:
    """The curve of people together.

    value: the posterior median of the threshold. low, high: the equal-tailed credible interval.
    limited: the threshold's upper bound lies beyond the largest visual change asked about, `reach`.
    middle, width, lapse: posterior means. inflation: the design effect of people and scenes.
    """

    value: float
    low: float
    high: float
    limited: bool
    reach: float
    middle: float
    width: float
    lapse: float
    inflation: float
    answers: int
    confidence: float
    posterior: CurvePosterior

    def quantiles(self, shares: Sequence[float]) -> F64:
        """Quantiles of the threshold, as people and scenes differ, from 0 to 1."""
        found = stretched_quantiles(self.posterior, shares, self.inflation)
        return np.clip(found, 0, 1)

    def right(self, delta_v: F64, chance: float) -> F64:
        """(L,) the share of right answers by the fitted curve."""
        lost = self.posterior.family.unseen(delta_v, self.middle, self.width)
        return performance(lost, np.asarray(chance), np.asarray(self.lapse))


def stretched_quantiles(
    posterior: CurvePosterior, shares: Sequence[float], inflation: float
) -> F64:
    """Quantiles of the threshold, moved away from the median by the root of the inflation."""
    middle = posterior.quantiles([0.5])
    return np.asarray(middle + math.sqrt(inflation) * (posterior.quantiles(shares) - middle))


def fit_curve(
    trials: JudgedTrials,
    family: FamilyName = "gauss",
    fall: float = FALL,
    confidence: float = CONFIDENCE,
) -> CurveFit | None:
    """The fit to all answers, None with fewer than 10 or at a single visual change.

    The interval includes that people differ, and scenes: the posterior of the threshold is
    stretched about its median by the root of the design effect of both.
    """
    if len(trials) < LEAST or np.ptp(trials.delta_v) < 0.01:
        return None
    posterior = curve_posterior(trials.counts(), FAMILIES[family], fall)
    inflation = design_effect(trials, posterior, confidence)
    tails = ((1 - confidence) / 2, 0.5, (1 + confidence) / 2)
    reach = float(trials.delta_v.max())
    low, value, high = np.clip(stretched_quantiles(posterior, tails, inflation), 0, 1)
    limited = bool(high > reach)
    value = min(value, reach)
    return CurveFit(
        float(value),
        float(min(low, value)),
        float(high),
        limited,
        reach,
        *posterior.mean(),
        inflation,
        len(trials),
        confidence,
        posterior,
    )
