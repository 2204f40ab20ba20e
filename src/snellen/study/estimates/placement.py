"""Which samples to show next, so that the threshold is known with fewer answers.

As in QUEST+, a visual change is worth what one answer there is expected to take off the posterior
variance of the threshold. Several samples are chosen one after the other, each as if the earlier
ones had been answered as expected.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TypeAlias

import numpy as np

from snellen.study.estimates.curve.curve_family import FAMILIES
from snellen.study.estimates.curve.curve_posterior import CurvePosterior, prior
from snellen.study.estimates.study_posteriors import CHANCE, study_posteriors
from snellen.study.record import ORIGINAL, StudyRecord, StudySample
from snellen.vision.arrays import F64

SPREAD = 0.4
"""The share of samples dealt regardless of their worth, against a wrong form of the curve: half of
them original pictures, which tell the lapse rate, the others even over visual change."""
_TAKEN = 1 << 40
UNKNOWN = 0.15
"""The posterior standard deviation of a threshold from which on all samples are dealt so."""
LEVELS = np.linspace(0, 1, 41)

Known: TypeAlias = StudyRecord | Mapping[str, Sequence[CurvePosterior]] | None
"""A record, or the posteriors of each transformation; None before the first answer."""


def next_samples(
    candidates: Sequence[StudySample], known: Known, count: int, rng: np.random.Generator
) -> list[str]:
    """The ids of at most `count` candidates, each once, in the order chosen.

    candidates: what may be shown next to whoever asks, unchanged pictures among them; leave out
    those that the participant has seen. known: the record so far, whose curves are fitted here, or
    their posteriors by transformation. The result depends on nothing but the
    arguments. Two in five are dealt regardless of worth, unchanged or evenly over visual change,
    and more while the threshold is hardly known. A scene comes twice only if there are too few.
    """
    left = [candidates[int(place)] for place in rng.permutation(len(candidates))]
    beliefs = _beliefs(left, known)
    delta_v = np.array([one.delta_v for one in left])
    scenes = np.unique([one.scene for one in left], return_inverse=True)[1]
    used = np.zeros(len(left), dtype=np.int64)
    chosen: list[int] = []
    while len(chosen) < min(count, len(left)):
        fresh = np.flatnonzero(used == used.min())
        if rng.random() < _spread(beliefs):
            aim = max(0.0, float(rng.uniform(-1, 1)))
            best = int(fresh[np.argmin(np.abs(delta_v[fresh] - aim))])
        else:
            best = int(fresh[np.argmax(_values(left, delta_v, beliefs)[fresh])])
        chosen.append(best)
        used[scenes == scenes[best]] += 1
        used[best] = _TAKEN
        for belief in _informed(left[best], beliefs):
            belief.expect(delta_v[best])
    return [left[one].sample for one in chosen]


def worth(levels: F64, posterior: CurvePosterior, chance: float = CHANCE) -> F64:
    """(L,) the expected fall of the threshold's posterior variance by one answer at each level."""
    right = posterior.right(levels, np.full(len(levels), chance))
    inside = np.clip(posterior.threshold, 0, 1)
    inside = inside - posterior.weight @ inside
    found = np.zeros(len(levels))
    for chances in (right, 1 - right):
        mass = np.maximum(chances @ posterior.weight, 1e-300)
        found += (chances @ (posterior.weight * inside)) ** 2 / mass
    return found


def expected_posterior(
    posterior: CurvePosterior, delta_v: float, chance: float = CHANCE
) -> CurvePosterior:
    """The posterior after an answer as it is expected: right and wrong, each with its share."""
    right = posterior.right(np.array([delta_v]), np.array([chance]))[0]
    right = np.clip(right, 1e-9, 1 - 1e-9)
    share = float(posterior.weight @ right)
    return posterior.reweighted(share * np.log(right) + (1 - share) * np.log1p(-right))


class _Belief:
    """One curve as it is known, with the worth of each visual change."""

    def __init__(self, posterior: CurvePosterior) -> None:
        self.posterior = posterior.thinned()
        self.curve = worth(LEVELS, self.posterior)

    def expect(self, delta_v: float) -> None:
        """Count an answer as it is expected."""
        self.posterior = expected_posterior(self.posterior, delta_v)
        self.curve = worth(LEVELS, self.posterior)


def _beliefs(candidates: Sequence[StudySample], known: Known) -> dict[str, list[_Belief]]:
    """The curves of each transformation among the candidates, the prior where none is known."""
    names = sorted({one.transformation for one in candidates} - {ORIGINAL})
    found = study_posteriors(known) if isinstance(known, StudyRecord) else known or {}
    start = (prior(FAMILIES["gauss"]),)
    return {name: [_Belief(one) for one in found.get(name, start)] for name in names}


def _informed(sample: StudySample, beliefs: Mapping[str, list[_Belief]]) -> list[_Belief]:
    """The curves that an answer to a sample says something about: all of them, of an original."""
    if sample.transformation != ORIGINAL:
        return beliefs[sample.transformation]
    return [one for each in beliefs.values() for one in each]


def _spread(beliefs: Mapping[str, list[_Belief]]) -> float:
    """The share of samples to deal regardless of their worth, by the best known curve."""
    known = [one.posterior.variance() for each in beliefs.values() for one in each]
    return max(SPREAD, min(1.0, float(np.sqrt(min(known, default=1.0))) / UNKNOWN))


def _values(
    samples: Sequence[StudySample], delta_v: F64, beliefs: Mapping[str, list[_Belief]]
) -> F64:
    """(N,) what an answer to each sample is worth, to all curves that it says something about."""
    kinds = np.array([one.transformation for one in samples])
    values = np.zeros(len(samples))
    for name, each in beliefs.items():
        rows = (kinds == name) | (kinds == ORIGINAL)
        for one in each:
            values[rows] += np.interp(delta_v[rows], LEVELS, one.curve)
    return values
