"""Other intervals, to compare with: (low, high) from counts by scene, one data set at a time."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from scipy import optimize, special

from snellen.statistics.bootstrap import (
    difference_of_ratios,
    interval_by_scene,
    ratio,
    scene_weights,
)
from snellen.statistics.intervals import wilson
from snellen.vision.arrays import F64

Ends = tuple[float, float]
TAIL = 0.025
SHRINK = 4.0
"""Scenes with events that weigh as much as the assumed correlation below."""
ASSUMED = 0.2
REPLICATES = 400


def _variance(residuals: F64) -> float:
    return float(np.sum(residuals**2)) * len(residuals) / max(len(residuals) - 1, 1)


def _design_effect(residuals: F64, base: float, events: F64, cases: F64) -> float:
    """Of the residuals' sum, shrunk towards that of an assumed correlation."""
    usual = 1 + (np.sum(cases**2) / cases.sum() - 1) * ASSUMED
    if base <= 0:
        return float(usual)
    scenes = float(events.sum() ** 2 / max(np.sum(events**2), 1e-12))
    found = (scenes * _variance(residuals) / base + SHRINK * usual) / (scenes + SHRINK)
    return max(1.0, float(found))


def korn_graubard(k: F64, n: F64) -> Ends:
    """Clopper and Pearson's interval on effective cases (Korn and Graubard, 1998)."""
    total, p = n.sum(), k.sum() / n.sum()
    effect = _design_effect(k - p * n, p * (1 - p) * total, k, n)
    caution = special.ndtri(TAIL) / special.stdtrit(max(len(n) - 1, 1), TAIL)
    cases = min(total / effect * caution**2, total)
    x = p * cases
    low = special.betaincinv(x, cases - x + 1, TAIL) if x > 0 else 0.0
    high = special.betaincinv(x + 1, cases - x, 1 - TAIL) if x < cases else 1.0
    return float(low), float(high)


def wilson_effective(k: F64, n: F64) -> Ends:
    """Wilson's interval on the same effective cases."""
    total, p = n.sum(), k.sum() / n.sum()
    effect = _design_effect(k - p * n, p * (1 - p) * total, k, n)
    caution = special.ndtri(TAIL) / special.stdtrit(max(len(n) - 1, 1), TAIL)
    cases = min(total / effect * caution**2, total)
    low, high = wilson(p * cases, cases)
    return float(low), float(high)


def studentised_rate(k: F64, n: F64) -> Ends:
    """The studentised bootstrap by scene from 10 deciding scenes on, else Wilson's."""
    if min(np.count_nonzero(k > 0), np.count_nonzero(k < n)) < 10:
        return _few(k, n)
    weights = scene_weights(len(n), REPLICATES, np.random.default_rng(1))
    found = interval_by_scene(np.stack([k, n], axis=1), ratio, weights)
    return max(found.low, 0.0), min(found.high, 1.0)


def _few(k: F64, n: F64) -> Ends:
    """Wilson's interval on effective cases, a scene being one case if none or all fail."""
    total, p = n.sum(), k.sum() / n.sum()
    cases = total**2 / np.sum(n**2)
    if 0 < p < 1:
        effect = max(1.0, _variance(k - p * n) / (p * (1 - p) * total))
        deciding = int(min(np.count_nonzero(k > 0), np.count_nonzero(k < n)))
        freedom = float(max(min(len(n) - 1, deciding + 1), 1))
        cases = total / effect * (special.ndtri(TAIL) / special.stdtrit(freedom, TAIL)) ** 2
    low, high = wilson(p * cases, cases)
    return float(low), float(high)


def _net_cases(first: F64, second: F64, n: F64) -> tuple[float, float]:
    """Effective cases over cases, and the t quantile, of a net of discordant pairs."""
    total, gap = n.sum(), (first - second).sum() / n.sum()
    base = (first + second).sum() - gap**2 * total
    effect = _design_effect(first - second - gap * n, float(base), first + second, n)
    quantile = float(special.stdtrit(max(len(n) - 1, 1), 1 - TAIL))
    return 1 / effect, quantile


def tango(first: F64, second: F64, n: F64) -> Ends:
    """Tango's (1998) score interval of a paired difference, on effective cases."""
    share, quantile = _net_cases(first, second, n)
    share *= (special.ndtri(1 - TAIL) / quantile) ** 2
    b, c, total = first.sum() * share, second.sum() * share, n.sum() * share
    gap, limit = (b - c) / total, float(special.ndtri(1 - TAIL))

    def score(delta: float) -> float:
        middle = -b - c + (2 * total - b + c) * delta
        root = max(middle**2 + 8 * total * c * delta * (1 - delta), 0.0) ** 0.5
        q = (root - middle) / (4 * total)
        spread = max(total * (2 * q + delta * (1 - delta)), 1e-15)
        return float((b - c - total * delta) / spread**0.5)

    return (
        _crossing(lambda delta: score(delta) - limit, -0.999999, gap),
        _crossing(lambda delta: score(delta) + limit, gap, 0.999999),
    )


def _crossing(excess: Callable[[float], float], low: float, high: float) -> float:
    if excess(low) * excess(high) > 0:
        return low if abs(low) > abs(high) else high
    return float(optimize.brentq(excess, low, high, xtol=1e-7))


def agresti_min(first: F64, second: F64, n: F64) -> Ends:
    """Wald's interval with half a pair added to each count (Agresti and Min, 2005)."""
    share, quantile = _net_cases(first, second, n)
    b, c, total = first.sum() * share + 0.5, second.sum() * share + 0.5, n.sum() * share + 2
    gap = (b - c) / total
    half = quantile * (b + c - (b - c) ** 2 / total) ** 0.5 / total
    return float(gap - half), float(gap + half)


def studentised_pairs(first: F64, second: F64, n: F64) -> Ends:
    """The studentised bootstrap from 10 differing scenes on, else Newcombe's of the two nets."""
    net = first - second
    if np.count_nonzero(net) >= 10:
        weights = scene_weights(len(n), REPLICATES, np.random.default_rng(1))
        rows = np.stack([first, n, second, n], axis=1)
        found = interval_by_scene(rows, difference_of_ratios, weights)
        return max(found.low, -1.0), min(found.high, 1.0)
    up, down = np.maximum(net, 0), np.maximum(-net, 0)
    p, q = up.sum() / n.sum(), down.sum() / n.sum()
    (a, b), (c, d) = _few(up, n), _few(down, n)
    gap = p - q
    return float(gap - np.hypot(p - a, d - q)), float(gap + np.hypot(b - p, q - c))


RATES: dict[str, Callable[[F64, F64], Ends]] = {
    "Korn-Graubard": korn_graubard,
    "Wilson, effective cases": wilson_effective,
    "before": studentised_rate,
}
PAIRS: dict[str, Callable[[F64, F64, F64], Ends]] = {
    "Tango, effective cases": tango,
    "Agresti-Min, effective cases": agresti_min,
    "before": studentised_pairs,
}
