"""Rates by scene, and differences of two rates on the same scenes, with their intervals.

If at least `ENOUGH` scenes decide a rate, its interval is a studentised bootstrap by scene. With
fewer, any bootstrap interval is too short, and without a failure it is the single point 0. Then
Wilson's interval is used with an effective number of cases; `method` names the one used.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
from scipy import special

from snellen.statistics.bootstrap import (
    Method,
    difference_of_ratios,
    interval_by_scene,
    ratio,
    standard_error,
)
from snellen.statistics.intervals import CONFIDENCE, Interval, Rate, difference, wilson
from snellen.vision.arrays import F64

ENOUGH = 10


def rate_by_scene(
    failing: npt.ArrayLike,
    cases: npt.ArrayLike,
    weights: F64,
    *,
    method: Method = "studentised",
    confidence: float = CONFIDENCE,
    design_effect: float | None = None,
) -> Rate:
    """The failure rate, with an interval that treats scenes as the sampling units.

    failing, cases: (scenes,). weights: (replicates, scenes), from `scene_weights`.
    design_effect: the number of clustered cases that are worth one independent case, if known from
    other data (for controls, from the test cases). It is used only if no case or every case fails,
    which says nothing about clustering; without it, each scene counts as one case, which is the
    conservative choice.

    >>> rng = np.random.default_rng(1)
    >>> from snellen.statistics.bootstrap import scene_weights
    >>> none = rate_by_scene(np.zeros(30), np.full(30, 8), scene_weights(30, 500, rng))
    >>> none.value, round(none.high, 3), none.method
    (0.0, 0.114, 'wilson, a scene as one case')
    """
    k, n = _per_scene(failing, cases, weights)
    totals = {"failing": float(k.sum()), "cases": float(n.sum())}
    if n.sum() > 0 and deciding_scenes(k, n) >= ENOUGH:
        found = interval_by_scene(np.stack([k, n], axis=1), ratio, weights, method, confidence)
        low, high = max(found.low, 0.0), min(found.high, 1.0)
        return Rate(found.value, low, high, found.method, confidence, **totals)
    worth, name = effective_cases(k, n, confidence, design_effect)
    value = float(k.sum() / n.sum()) if n.sum() > 0 else float("nan")
    ends = wilson(0.0 if worth == 0 else value * worth, worth, confidence)
    return Rate(value, float(ends[0]), float(ends[1]), name, confidence, **totals)


def deciding_scenes(failing: npt.ArrayLike, cases: npt.ArrayLike) -> int:
    """The number of scenes with a failing case or with a passing case, whichever is smaller."""
    k, n = np.asarray(failing, float), np.asarray(cases, float)
    return int(min(np.count_nonzero(k > 0), np.count_nonzero(k < n)))


def effective_cases(
    failing: npt.ArrayLike,
    cases: npt.ArrayLike,
    confidence: float = CONFIDENCE,
    design_effect: float | None = None,
) -> tuple[float, str]:
    """The effective number of independent cases, and the name of the method for `Interval.method`.

    The number is cases / design effect (at least 1), multiplied by the squared ratio of a normal to
    a t quantile, because the design effect itself is uncertain with few scenes.
    """
    k, n = np.asarray(failing, float), np.asarray(cases, float)
    total, value = n.sum(), k.sum() / n.sum() if n.sum() > 0 else 0.0
    scenes_as_cases = float(total**2 / np.sum(n**2)) if total > 0 else 0.0
    if value in (0.0, 1.0) or len(n) < 2:
        if design_effect is None:
            return scenes_as_cases, "wilson, a scene as one case"
        return max(float(total / design_effect), scenes_as_cases), "wilson, given design effect"
    error = standard_error(np.stack([k, n], axis=1), ratio)
    found = max(1.0, error**2 * total / (value * (1 - value)))
    freedom = min(len(n) - 1, deciding_scenes(k, n) + 1)
    tail = (1 + confidence) / 2
    caution = special.ndtri(tail) / special.stdtrit(freedom, tail)
    return float(total / found * caution**2), "wilson, effective cases"


def rate_difference_by_scene(
    first: tuple[npt.ArrayLike, npt.ArrayLike],
    second: tuple[npt.ArrayLike, npt.ArrayLike],
    weights: F64,
    *,
    method: Method = "studentised",
    confidence: float = CONFIDENCE,
) -> Interval:
    """The first rate minus the second, on the same scenes and with the same weights.

    first, second: (failing, cases), each (scenes,). They are two subjects on the same cases, or the
    cases of one subject and their controls.
    """
    a, b = _per_scene(*first, weights), _per_scene(*second, weights)
    if _enough(a, b):
        rows = np.stack([*a, *b], axis=1)
        found = interval_by_scene(rows, difference_of_ratios, weights, method, confidence)
        low, high = max(found.low, -1.0), min(found.high, 1.0)
        return Interval(found.value, low, high, found.method, confidence)
    if np.array_equal(a[1], b[1]):
        net = a[0] - b[0]
        a, b = (np.maximum(net, 0), a[1]), (np.maximum(-net, 0), b[1])
    rates = [rate_by_scene(*one, weights, method=method, confidence=confidence) for one in (a, b)]
    return difference(*rates)


def _enough(a: tuple[F64, F64], b: tuple[F64, F64]) -> bool:
    """Whether enough scenes decide the difference; on the same cases, those that differ."""
    if np.array_equal(a[1], b[1]):
        return bool(np.count_nonzero(a[0] != b[0]) >= ENOUGH)
    return min(deciding_scenes(*a), deciding_scenes(*b)) >= ENOUGH


def _per_scene(failing: npt.ArrayLike, cases: npt.ArrayLike, weights: F64) -> tuple[F64, F64]:
    k, n = np.asarray(failing, float), np.asarray(cases, float)
    if k.shape != (weights.shape[1],) or n.shape != k.shape:
        raise ValueError(
            f"one count per scene: {weights.shape[1]} scenes, found shapes {k.shape} and {n.shape}"
        )
    if not np.all((k >= 0) & (k <= n)):
        raise ValueError("a scene has more failing cases than cases, or a negative number")
    return k, n
