"""The fitted curve of people together, and its threshold with a credible interval."""

from __future__ import annotations

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

    def right(self, delta_v: F64, chance: float) -> F64:
        """(L,) the share of right answers by the fitted curve."""
        lost = self.posterior.family.unseen(delta_v, self.middle, self.width)
        return performance(lost, np.asarray(chance), np.asarray(self.lapse))


def fit_curve(
    trials: JudgedTrials,
    family: FamilyName = "gauss",
    fall: float = FALL,
    confidence: float = CONFIDENCE,
) -> CurveFit | None:
    """The fit to all answers, None with fewer than 10 or at a single visual change.

    The interval includes that people differ, and scenes: the likelihood is divided by the design
    effect of both.
    """
    if len(trials) < LEAST or np.ptp(trials.delta_v) < 0.01:
        return None
    counts, form = trials.counts(), FAMILIES[family]
    first = curve_posterior(counts, form, fall)
    inflation = design_effect(trials, first, confidence)
    posterior = curve_posterior(counts, form, fall, inflation)
    tails = ((1 - confidence) / 2, 0.5, (1 + confidence) / 2)
    reach = float(trials.delta_v.max())
    low, value, high = np.clip(posterior.quantiles(tails), 0, 1)
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
