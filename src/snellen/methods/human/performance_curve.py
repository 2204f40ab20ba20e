"""Performance over visual change: the area under the curve, and its comparison with people.

Shares are averaged in 20 bins of visual change, smoothed with a spline, clipped to [0, 1] and made
non-increasing, since a larger change should not help. Areas cover the range of visual change of the
data and are divided by its length, so that 1 is perfect throughout.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np
import numpy.typing as npt

from snellen.vision.arrays import F64

BINS = 20
SMOOTHING = 0.04
POINTS = 10_000


@dataclass(frozen=True, eq=False)
class PerformanceCurve:
    """Performance at each visual change: (POINTS,) changes, rising, and values."""

    delta_v: F64
    values: F64

    @property
    def area(self) -> float:
        """The mean value over the range, 0 to 1."""
        return _mean(self.values, self.delta_v)


@dataclass(frozen=True)
class HumanComparison:
    """A subject compared with people over the range of visual change that both cover.

    subject, human: areas. human_relative: 1 minus the share of the human area by which the subject
    falls short; 1 if it is nowhere worse than people.
    """

    low: float
    high: float
    subject: float
    human: float
    human_relative: float


def performance_curve(
    delta_v: npt.ArrayLike,
    values: npt.ArrayLike,
    weights: npt.ArrayLike | None = None,
    within: tuple[float, float] | None = None,
) -> PerformanceCurve:
    """The smoothed curve of values, (N,) from 0 to 1, over visual change, (N,).

    weights: (N,), such as the number of answers behind each value. within: the range to cover, by
    default and at most that of the bins with data.

    >>> v = np.linspace(0, 1, 200)
    >>> round(performance_curve(v, np.where(v < 0.5, 1.0, 0.0)).area, 1)
    0.5
    """
    centres, shares = binned(delta_v, values, weights)
    low, high = within if within is not None else (centres[0], centres[-1])
    at = np.linspace(max(low, centres[0]), min(high, centres[-1]), POINTS)
    return PerformanceCurve(at, _smoothed(centres, shares, at))


def binned(
    delta_v: npt.ArrayLike, values: npt.ArrayLike, weights: npt.ArrayLike | None = None
) -> tuple[F64, F64]:
    """The centres of the bins with data, and the mean value in each."""
    change, value = (np.asarray(one, dtype=np.float64) for one in (delta_v, values))
    if not len(change):
        raise ValueError("a curve needs at least one value")
    place = np.minimum((change * BINS).astype(int), BINS - 1)
    weight = np.ones(len(change)) if weights is None else np.asarray(weights, dtype=np.float64)
    total = np.bincount(place, weight, BINS)
    filled = total > 0
    means = np.bincount(place, weight * value, BINS)[filled] / total[filled]
    return (np.arange(BINS)[filled] + 0.5) / BINS, means


def compare_with_people(
    subject: tuple[npt.ArrayLike, npt.ArrayLike], human: tuple[npt.ArrayLike, npt.ArrayLike]
) -> HumanComparison:
    """Both areas where both have data; each is given as (visual change, values)."""
    spans = [binned(*one)[0] for one in (subject, human)]
    low, high = max(one[0] for one in spans), min(one[-1] for one in spans)
    if low >= high:
        raise ValueError("the two curves have no common range of visual change")
    own, people = (performance_curve(*one, within=(low, high)) for one in (subject, human))
    short = _mean(np.maximum(people.values - own.values, 0), people.delta_v)
    relative = 1 - short / people.area if people.area > 0 else 1.0
    return HumanComparison(float(low), float(high), own.area, people.area, relative)


def _smoothed(centres: F64, shares: F64, at: F64) -> F64:
    from scipy.interpolate import UnivariateSpline

    if len(centres) == 1:
        return np.full(len(at), shares[0])
    degree: Literal[1, 2, 3] = 3 if len(centres) > 3 else 2 if len(centres) == 3 else 1
    spline = UnivariateSpline(centres, shares, k=degree, s=SMOOTHING)
    return np.asarray(np.minimum.accumulate(np.clip(spline(at), 0, 1)))


def _mean(values: F64, places: F64) -> float:
    length = places[-1] - places[0]
    return float(np.trapezoid(values, places) / length) if length > 0 else float(values[0])
