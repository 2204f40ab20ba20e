"""Rates by scene, and the difference of two rates on the same scenes, with honest intervals.

Where at least `ENOUGH` scenes decide a rate, its interval is a studentised bootstrap by scene.
With fewer, any bootstrap is too short, and with no failure at all it is the single point 0. There
Wilson's interval is used with an effective number of cases; `method` says which was used.
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
    """The failing cases over all cases, with an interval that knows that scenes are the units.

    failing, cases: (scenes,). weights: (replicates, scenes), from `scene_weights`.
    design_effect: how many clustered cases are worth one independent case, where that is known
    from elsewhere (such as the failing cases beside these controls). It is used only where no case
    or every case fails, since nothing about clustering can be learnt there; without it, a scene
    counts as one case, which is the cautious end.

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
    """How many scenes have a failing case, or how many have a sound one, whichever is fewer."""
    k, n = np.asarray(failing, float), np.asarray(cases, float)
    return int(min(np.count_nonzero(k > 0), np.count_nonzero(k < n)))


def effective_cases(
    failing: npt.ArrayLike,
    cases: npt.ArrayLike,
    confidence: float = CONFIDENCE,
    design_effect: float | None = None,
) -> tuple[float, str]:
    """How many independent cases the clustered ones are worth, and the name of that reckoning.

    It is the cases over the design effect (at least 1), reduced by the square of a normal over a
    t quantile, because few scenes tell little about the design effect either.
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
    """The first rate minus the second, both on the same scenes and with the same weights.

    first, second: (failing, cases), each (scenes,). They may be two subjects on the same cases, or
    the cases of one subject and their controls.
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
    """Whether enough scenes decide the difference; on the same cases, those that differ do."""
    if np.array_equal(a[1], b[1]):
        return bool(np.count_nonzero(a[0] != b[0]) >= ENOUGH)
    return min(deciding_scenes(*a), deciding_scenes(*b)) >= ENOUGH


def _per_scene(failing: npt.ArrayLike, cases: npt.ArrayLike, weights: F64) -> tuple[F64, F64]:
    k, n = np.asarray(failing, float), np.asarray(cases, float)
    if k.shape != (weights.shape[1],) or n.shape != k.shape:
        raise ValueError(
            f"one count a scene: {weights.shape[1]} scenes, found shapes {k.shape} and {n.shape}"
        )
    if not np.all((k >= 0) & (k <= n)):
        raise ValueError("a scene has more failing cases than cases, or fewer than none")
    return k, n
