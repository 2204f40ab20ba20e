"""The posterior of a psychometric curve on a grid of its parameters.

The prior is flat in the middle and in the logarithm of the width over wide ranges; the lapse rate
has psignifit's Beta(1, 10). A coarse grid finds where the mass is, a fine one covers just that.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np

from snellen.study.estimates.curve.curve_family import CurveFamily
from snellen.vision.arrays import F64

FALL = 0.1
"""The share of what people recognise unchanged that is lost at the threshold."""
Axes: TypeAlias = tuple[F64, F64, F64]
"""Values of middle, width and lapse rate."""
LAPSES = (0.0, 0.35)
LAPSE_PRIOR = 10.0
"""The second parameter of Beta(1, .): an expected lapse rate of 1 in 11."""
COARSE = (43, 19, 9)
FINE = (41, 19, 9)
ROUNDS, ENOUGH = 4, 0.3
"""The grid is made finer, at most so often, until the mass spans this share of the steps."""
_NEGLIGIBLE, _THIN = 1e-5, 1e-3
_ROUNDED = 1e-9


@dataclass(frozen=True, eq=False)
class AnswerCounts:
    """Answers counted in L levels: visual change, chance of guessing right, right, asked, (L,)."""

    delta_v: F64
    chance: F64
    right: F64
    asked: F64


@dataclass(frozen=True, eq=False)
class CurvePosterior:
    """G curves and their weights, which add up to 1; arrays are (G,).

    threshold: where F is `fall`.
    """

    family: CurveFamily
    fall: float
    middle: F64
    width: F64
    lapse: F64
    weight: F64
    threshold: F64

    def mean(self) -> tuple[float, float, float]:
        """Middle, width (geometric) and lapse rate, each its posterior mean."""
        wide = float(np.exp(self.weight @ np.log(self.width)))
        return float(self.weight @ self.middle), wide, float(self.weight @ self.lapse)

    def quantiles(self, shares: Sequence[float]) -> F64:
        """Quantiles of the threshold."""
        places, row = np.unique(self.threshold.round(9), return_inverse=True)
        mass = np.bincount(row, self.weight)
        return np.interp(shares, np.cumsum(mass) - mass / 2, places)

    def variance(self) -> float:
        """Of the threshold, within the range of visual change: 0 to 1."""
        inside = np.clip(self.threshold, 0, 1)
        return float(self.weight @ inside**2 - (self.weight @ inside) ** 2)

    def right(self, delta_v: F64, chance: F64) -> F64:
        """(L, G) the probability of a right answer at each of L levels under each curve."""
        lost = self.family.unseen(delta_v[:, None], self.middle, self.width)
        return performance(lost, chance[:, None], self.lapse)

    def thinned(self) -> CurvePosterior:
        """The same without curves of negligible weight."""
        held = self.weight > _THIN * self.weight.max()
        axes = (self.middle[held], self.width[held], self.lapse[held])
        return _posterior(self.family, self.fall, axes, np.log(self.weight[held]))

    def reweighted(self, log_likelihood: F64) -> CurvePosterior:
        """The posterior after further evidence, (G,) for each curve."""
        again = np.log(np.maximum(self.weight, 1e-300)) + log_likelihood
        return _posterior(self.family, self.fall, (self.middle, self.width, self.lapse), again)


def performance(unseen: F64, chance: F64, lapse: F64) -> F64:
    """The share of right answers; the arguments broadcast."""
    return np.asarray(chance + (1 - chance - lapse) * (1 - unseen))


def prior(family: CurveFamily, fall: float = FALL) -> CurvePosterior:
    """What is assumed before the first answer, on the coarse grid."""
    axes = _coarse_axes(family)
    return _on_grid(family, fall, axes, _none())


def curve_posterior(
    counts: AnswerCounts,
    family: CurveFamily,
    fall: float = FALL,
) -> CurvePosterior:
    """The posterior given answers, as if these were independent."""
    axes = _coarse_axes(family)
    found = _on_grid(family, fall, axes, counts)
    for _ in range(ROUNDS):
        finer, share = _fine_axes(found, axes)
        found, axes = _on_grid(family, fall, finer, counts), finer
        if share > ENOUGH:
            break
    return found


def _none() -> AnswerCounts:
    return AnswerCounts(*(np.zeros(0) for _ in range(4)))


def _coarse_axes(family: CurveFamily) -> Axes:
    return (
        np.linspace(*family.middles, COARSE[0]),
        np.geomspace(*family.widths, COARSE[1]),
        np.linspace(*LAPSES, COARSE[2]),
    )


def _fine_axes(found: CurvePosterior, axes: Axes) -> tuple[Axes, float]:
    """Axes over the parameters that hold the mass, and one step on either side.

    Also the least share of the steps of an old axis that they span.
    """
    finer, shares = [], []
    for axis, values, count in zip(
        axes, (found.middle, found.width, found.lapse), FINE, strict=True
    ):
        place = np.searchsorted(axis, values - _ROUNDED * axis[-1])
        mass = np.bincount(np.minimum(place, len(axis) - 1), found.weight, len(axis))
        held = np.flatnonzero(mass > _NEGLIGIBLE)
        first, last = max(held[0] - 1, 0), min(held[-1] + 1, len(axis) - 1)
        spaced = np.geomspace if values is found.width else np.linspace
        finer.append(spaced(axis[first], axis[last], count))
        shares.append((last - first) / (len(axis) - 1))
    return (finer[0], finer[1], finer[2]), min(shares)


def _on_grid(
    family: CurveFamily,
    fall: float,
    axes: Axes,
    counts: AnswerCounts,
) -> CurvePosterior:
    middle, width, lapse = (one.reshape(-1) for one in np.meshgrid(*axes, indexing="ij"))
    score = (LAPSE_PRIOR - 1) * np.log1p(-lapse)
    if len(counts.asked):
        middles, widths = (one.reshape(-1, 1) for one in np.meshgrid(*axes[:2], indexing="ij"))
        likelihood = _log_likelihood(family, middles, widths, axes[2], counts)
        score = score + likelihood.reshape(-1)
    return _posterior(family, fall, (middle, width, lapse), score)


def _log_likelihood(
    family: CurveFamily, middle: F64, width: F64, lapse: F64, counts: AnswerCounts
) -> F64:
    """(P, K) of P pairs of middle and width, (P, 1) each, and K lapse rates."""
    seen = 1 - family.unseen(counts.delta_v, middle, width)
    wrong = counts.asked - counts.right
    columns = []
    for one in lapse:
        right = counts.chance + (1 - counts.chance - one) * seen
        right = np.clip(right, 1e-9, 1 - 1e-9)
        columns.append(np.log(right) @ counts.right + np.log1p(-right) @ wrong)
    return np.stack(columns, axis=1)


def _posterior(family: CurveFamily, fall: float, axes: Axes, score: F64) -> CurvePosterior:
    weight = np.exp(score - score.max())
    return CurvePosterior(
        family, fall, *axes, weight / weight.sum(), family.place(fall, axes[0], axes[1])
    )
