"""Simulated scenes with a known truth: sizes, chances to fail, and answers of one or two subjects.

Arrays are (sets, scenes): many data sets of the same kind at once. `TUNED` sizes and the beta
distribution were used to choose the constants of the intervals; the others were not.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy import optimize, special

from snellen.vision.arrays import F64, Ints

TUNED = ("1", "2", "10", "geometric")
UNSEEN = ("zipf", "two kinds")
MEDIAN = 30
"""Of geometric sizes."""


def sizes(kind: str, shape: tuple[int, int], rng: np.random.Generator) -> Ints:
    """Cases of each scene: a constant, geometric with median 30, Zipf, or few large among small."""
    if kind == "geometric":
        return rng.geometric(1 - 0.5 ** (1 / MEDIAN), shape)
    if kind == "zipf":
        return np.minimum(rng.zipf(1.7, shape), 400)
    if kind == "two kinds":
        return np.where(rng.random(shape) < 0.1, 60, 3)
    return np.full(shape, int(kind))


@dataclass(frozen=True)
class Scenes:
    """A kind of scene. spread: how chances to fail vary between scenes.

    "beta": the model of the intervals. "logit-normal": a normal distribution of log odds with the
    same variance. "broken whole": a few scenes in which every case fails, none in the others.
    "busy": larger scenes fail more, in proportion to the root of their size. "sites": neighbouring
    scenes, five at a time, share their chance, although each counts as a scene of its own.
    """

    size: str
    rate: float
    icc: float
    spread: str = "beta"

    def draw(self, shape: tuple[int, int], rng: np.random.Generator) -> tuple[Ints, F64]:
        """Cases, and the chance of each to fail."""
        cases = sizes(self.size, shape, rng)
        if self.spread == "busy":
            mean = np.clip(_busy_factor(self.size, self.rate) * np.sqrt(cases), 0, 0.95)
            return cases, _beta(mean, self.icc, rng)
        if self.spread == "sites":
            few = -(-shape[1] // 5)
            shared = self._chances((shape[0], few), rng)
            return cases, np.repeat(shared, 5, axis=1)[:, : shape[1]]
        return cases, self._chances(shape, rng)

    def _chances(self, shape: tuple[int, int], rng: np.random.Generator) -> F64:
        if self.spread == "broken whole":
            return np.asarray(rng.random(shape) < self.rate, dtype=np.float64)
        if self.spread == "logit-normal" and self.icc > 0:
            middle, width = _logit_normal(self.rate, self.icc)
            return np.asarray(special.expit(rng.normal(middle, width, shape)))
        return _beta(np.full(shape, self.rate), self.icc, rng)


def _beta(mean: F64, icc: float, rng: np.random.Generator) -> F64:
    if icc == 0:
        return mean
    scale = (1 - icc) / icc
    return rng.beta(np.maximum(mean * scale, 1e-12), np.maximum((1 - mean) * scale, 1e-12))


_CACHE: dict[tuple[object, ...], tuple[float, float]] = {}


def _busy_factor(size: str, rate: float) -> float:
    """The factor of the root of a scene's size that gives the wanted rate over all cases."""
    if ("busy", size, rate) not in _CACHE:
        n = sizes(size, (1, 400_000), np.random.default_rng(0))[0].astype(np.float64)

        def excess(factor: float) -> float:
            return float(np.sum(n * np.clip(factor * np.sqrt(n), 0, 0.95)) / n.sum()) - rate

        _CACHE["busy", size, rate] = float(optimize.brentq(excess, 0, 10)), 0.0
    return _CACHE["busy", size, rate][0]


def _logit_normal(rate: float, icc: float) -> tuple[float, float]:
    """Mean and standard deviation of the log odds, for a mean rate and an ICC."""
    if ("normal", rate, icc) not in _CACHE:
        nodes, weights = np.polynomial.hermite_e.hermegauss(80)
        weights = weights / weights.sum()

        def moments(values: F64) -> list[float]:
            chance = special.expit(values[0] + np.exp(values[1]) * nodes)
            mean = float(weights @ chance)
            varying = float(weights @ (chance - mean) ** 2) / max(mean * (1 - mean), 1e-12)
            return [float(special.logit(mean) - special.logit(rate)), varying - icc]

        found = optimize.root(moments, [special.logit(rate), 0.5])
        _CACHE["normal", rate, icc] = float(found.x[0]), float(np.exp(found.x[1]))
    return _CACHE["normal", rate, icc]


def failing(cases: Ints, chance: F64, rng: np.random.Generator) -> Ints:
    """Failing cases of each scene."""
    return rng.binomial(cases, np.clip(chance, 0, 1))


@dataclass(frozen=True)
class Pairs:
    """Two answers to the same cases: (sets, scenes) each.

    both, first, second: cases in which both fail, only the first, only the second.
    """

    cases: Ints
    both: Ints
    first: Ints
    second: Ints


def pairs(
    scenes: Scenes,
    shape: tuple[int, int],
    change: float,
    alike: float,
    rng: np.random.Generator,
) -> Pairs:
    """The second fails less by `change`; alike: the share of cases whose two answers are tied."""
    cases, chance = scenes.draw(shape, rng)
    better = chance * (1 - change / scenes.rate)
    tied = rng.binomial(cases, alike)
    both = failing(tied, better, rng)
    with np.errstate(divide="ignore", invalid="ignore"):
        left = np.nan_to_num((chance - better) / (1 - better))
    worse = failing(tied - both, left, rng)
    own = failing(cases - tied, chance, rng)
    again = failing(own, better, rng)
    new = failing(cases - tied - own, better, rng)
    return Pairs(cases, both + again, worse + own - again, new)


def broken_pairs(
    scenes: Scenes, shape: tuple[int, int], change: float, rng: np.random.Generator
) -> Pairs:
    """A change that breaks few scenes whole: there every case that held fails in the first."""
    cases, chance = scenes.draw(shape, rng)
    both = failing(cases, chance, rng)
    struck = rng.random(shape) < change / (1 - scenes.rate)
    return Pairs(cases, both, (cases - both) * struck, np.zeros_like(both))
