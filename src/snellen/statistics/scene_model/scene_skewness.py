"""How lopsided scenes are, compared with what their correlation explains.

Where large scenes fail more, a few of them pull the rate far more than the others, and its error is
skewed: the bound on that side must be farther away than the variance says (Hall, 1992).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from snellen.statistics.scene_counts import SceneCounts
from snellen.statistics.scene_model.scene_correlation import CORRELATIONS
from snellen.vision.arrays import F64

STRENGTH = 1.5
"""Skewness found in few scenes is smaller than the true one on average."""
DOUBT = 3.0
"""Scenes with events at which half of the skewness found is believed."""


@dataclass(frozen=True)
class Skewness:
    """Shifts of the normal score of an upper and a lower bound, in multiples of its square."""

    above: float = 0.0
    below: float = 0.0

    def upper(self, score: float) -> float:
        """The score at which to read the upper bound."""
        return score - self.above * score**2

    def lower(self, score: float) -> float:
        """The score at which to read the lower bound."""
        return score - self.below * score**2


def rate_skewness(counts: SceneCounts, learned: F64, scenes: float) -> Skewness:
    """Of one rate; learned: (correlations,) weights. scenes: how many have events."""
    residuals = counts.events - counts.rate * counts.cases
    squares = float(np.sum(residuals**2))
    if squares <= 0:
        return Skewness()
    found, model = float(np.sum(residuals**3)) / squares**1.5, _model(counts, learned)
    weight = STRENGTH / 3 * scenes / (scenes + DOUBT)
    above, below = max(found, 0.0) - max(model, 0.0), max(-found, 0.0) - max(-model, 0.0)
    return Skewness(weight * max(above, 0.0), weight * max(below, 0.0))


def _model(counts: SceneCounts, learned: F64) -> float:
    """The skewness of a sum of beta-binomial scenes at the mean correlation."""
    p, n, rho = counts.rate, counts.cases, float(learned @ CORRELATIONS)
    squares = n * p * (1 - p) * (1 + (n - 1) * rho)
    growth = (1 + (n - 1) * rho) * (1 + (2 * n - 1) * rho) / (1 + rho)
    cubes = n * p * (1 - p) * (1 - 2 * p) * growth
    return float(np.sum(cubes) / np.sum(squares) ** 1.5)
