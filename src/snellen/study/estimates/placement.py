"""Which samples to show next, so that the threshold is known with fewer answers.

As in QUEST+, a visual change is worth what one answer there is expected to take off the posterior
variance of the threshold. Several samples are chosen one after the other, each as if the earlier
ones had been answered as expected.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import TypeAlias

import numpy as np

from snellen.study.estimates.curve.curve_family import FAMILIES
from snellen.study.estimates.curve.curve_posterior import CurvePosterior, prior
from snellen.study.estimates.study_posteriors import CHANCE, study_posteriors
from snellen.study.record import ORIGINAL, StudyRecord, StudySample
from snellen.vision.arrays import F64

SPREAD = 0.2
"""The share of samples dealt regardless of their worth, against a wrong form of the curve: half of
them original pictures, which tell the lapse rate, the others even over visual change."""
LEVELS = np.linspace(0, 1, 41)

Known: TypeAlias = StudyRecord | Mapping[str, Sequence[CurvePosterior]] | None
"""A record, or the posteriors of each transformation; None before the first answer."""


def next_samples(
    candidates: Sequence[StudySample], known: Known, count: int, rng: np.random.Generator
) -> list[str]:
    """The ids of at most `count` candidates, each once, in the order chosen.

    candidates: what may be shown next to whoever asks, unchanged pictures among them; leave out
    those that the participant has seen. known: the record so far, whose curves are fitted here, or
    their posteriors by transformation. The result depends on nothing but the arguments. A fifth is
    dealt regardless of worth: unchanged, or evenly over visual change. A scene comes twice only if
    there are too few scenes.
    """
    left = [candidates[int(place)] for place in rng.permutation(len(candidates))]
    beliefs = _beliefs(left, known)
    used: Counter[str] = Counter()
    chosen: list[str] = []
    while left and len(chosen) < count:
        fewest = min(used[one.scene] for one in left)
        fresh = [one for one in left if used[one.scene] == fewest]
        if rng.random() < SPREAD:
            best = _nearest(fresh, max(0.0, float(rng.uniform(-1, 1))))
        else:
            best = max(fresh, key=lambda one: _value(one, beliefs))
        left.remove(best)
        used[best.scene] += 1
        chosen.append(best.sample)
        for belief in _informed(best, beliefs):
            belief.expect(best.delta_v)
    return chosen


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

    def worth(self, delta_v: float) -> float:
        """Of one answer."""
        return float(np.interp(delta_v, LEVELS, self.curve))

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


def _value(sample: StudySample, beliefs: Mapping[str, list[_Belief]]) -> float:
    return sum(one.worth(sample.delta_v) for one in _informed(sample, beliefs))


def _nearest(candidates: Sequence[StudySample], delta_v: float) -> StudySample:
    return min(candidates, key=lambda one: abs(one.delta_v - delta_v))
