"""Limits to what a single further pair may change, from the weights of neighbouring counts.

A pair in a new scene shows that events cluster less, so the interval shrinks and its far end may
fall; a pair in a scene already hit shows that they cluster more, so the near end may fall. Both
would be moves in the wrong direction. So a bound is kept at least nearly as far away as the
correlations would put it which a few lone pairs fewer, or a few more in scenes already hit, teach.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy import special

from snellen.statistics.scene_counts import SceneCounts, scenes_worth
from snellen.statistics.scene_model.scene_correlation import CORRELATIONS, undamped_log_likelihood
from snellen.vision.arrays import F64

FEWER = np.array([*range(1, 19), 20, 22, 25, 28], dtype=np.float64)
"""Lone pairs that are taken away."""
MORE = np.array([1.0, 2, 3, 4, 6])
"""Pairs that are added to scenes already hit."""
KEPT = np.concatenate([0.94**FEWER, 0.95**MORE])
"""Share of the distance to a neighbour's bound that is kept."""
MOVED = np.concatenate([0.6 * FEWER, 0.95 * MORE])
"""Cases by which the value itself has moved away from the neighbour's."""
DOUBT = 0.95
"""As `scene_correlation.DAMPING`: scenes with events that halve the likelihood, over the root of
the further cases of a scene; it vanishes faster, with the square of the scenes.
"""
_ODDS = CORRELATIONS / (1 - CORRELATIONS)
_FARTHEST = -8.0


@dataclass(frozen=True, eq=False)
class Neighbours:
    """Discordant pairs by scene with a few fewer or more.

    counts: pairs of both directions. lone: those of the direction that pulls a bound away, alone
    in their scenes. complement: whether the bound is of the rate of all other cases.
    """

    counts: SceneCounts
    lone: float
    complement: bool = False

    def log_likelihood(self, rates: F64) -> F64:
        """(1 + neighbours, rates, correlations) of these counts and of the neighbouring ones."""
        p = (1 - rates if self.complement else rates)[:, None]
        own, size = undamped_log_likelihood(self.counts, p[:, 0]), self.counts.typical_size
        alone = np.log1p((size - 1) * _ODDS / (1 - p))
        joined = np.log1p(_ODDS / p) - np.log1p(max(size - 2, 0.0) * _ODDS / (1 - p))
        fewer, more = FEWER[:, None, None], MORE[:, None, None]
        rows = [own[None], own + fewer * alone, own + more * joined]
        return np.concatenate(rows) * self._trust()[:, None, None]

    def _trust(self) -> F64:
        """(1 + neighbours,) exponents of the likelihoods: the fewer scenes, the smaller."""
        k = self.counts.events
        change = np.concatenate([[0.0], -FEWER, MORE])
        squares = np.concatenate([[0.0], -FEWER, 3 * MORE])
        left = np.maximum(k.sum() + change, 0.0) ** 2 / (
            np.maximum(np.sum(k**2) + squares, 0.0) + 0.25
        )
        telling = np.minimum(left, scenes_worth(self.counts.cases - k)) ** 2
        doubtful = DOUBT**2 * max(self.counts.typical_size - 1, 0.0)
        return np.asarray(telling / (telling + doubtful + 1e-12))

    def farthest(self, scores: F64, logits: F64, value: float, total: float) -> F64:
        """(candidates,) scores at the candidates (logits), the largest that a neighbour asks for.

        scores: (1 + neighbours, candidates), each falling; value: the rate, of `total` cases.
        """
        none_to_join = np.full(len(MORE), max(1 - float(self.counts.events.sum()), 0.0))
        impossible = np.concatenate([np.maximum(FEWER - self.lone, 0), none_to_join])
        distances = special.expit(logits) - value + (MOVED / total + impossible)[:, None]
        places = special.logit(np.clip(value + distances / KEPT[:, None], 0.0, 1.0))
        found = [
            np.interp(place, logits, row, right=_FARTHEST)
            for place, row in zip(places, scores[1:], strict=True)
        ]
        return np.asarray(np.max([scores[0], *found], axis=0))
