"""How much scenes scatter, compared with what their correlation explains.

The variance of a figure between scenes, taken from the data alone, is divided by the variance that
the learned correlations give. The more scenes have events, the more the data count; a few scenes
say little about their own scatter.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from snellen.statistics.discordant_pairs import DiscordantPairs
from snellen.statistics.scene_counts import SceneCounts
from snellen.vision.arrays import F64

_HARDLY = 0.25
MODEL_SCENES = 4.0
"""Scenes with events that weigh as much as the model."""
SURELY = 3.0
"""Standard errors (roughly) by which scatter must be low to make cases worth more than one."""


@dataclass(frozen=True)
class Scatter:
    """factor: multiplies the design effect. least: the smallest product of the two.

    `least` is 1, the variance of independent cases, unless many scenes show less: two answers to
    alike cases differ less than independent ones.
    """

    factor: float = 1.0
    least: float = 1.0

    def applied(self, design_effect: F64) -> F64:
        """The design effect that the data support."""
        return np.maximum(self.least, self.factor * design_effect)


def rate_scatter(counts: SceneCounts, design_effect: float) -> Scatter:
    """Of one rate: never less than the model's, which has this mean design effect."""
    p = counts.rate
    if p in (0.0, 1.0):
        return Scatter()
    found = _variance_of_sum(counts.events - p * counts.cases, counts.scenes)
    share = found / (p * (1 - p) * counts.total * design_effect)
    with_events = 1 / (1 / scenes_worth(counts.events) + 1 / scenes_worth(counts.others().events))
    return Scatter(max(1.0, _shrunk(share, with_events)))


def paired_scatter(pairs: DiscordantPairs, design_effect: float) -> Scatter:
    """Of the net of discordant pairs."""
    p, q = pairs.first.rate, pairs.second.rate
    model = (p * (1 - p) + q * (1 - q)) * pairs.first.total * design_effect
    if model <= 0:
        return Scatter()
    net = pairs.first.events - pairs.second.events
    found = _variance_of_sum(net - (p - q) * pairs.first.cases, pairs.first.scenes)
    return _cautious(found / model, scenes_worth(pairs.either.events))


def difference_scatter(
    a: SceneCounts, b: SceneCounts, design_effect_a: float, design_effect_b: float
) -> Scatter:
    """Of the difference of two rates of different cases in the same scenes."""
    model = sum(
        one.rate * (1 - one.rate) * effect / one.total
        for one, effect in ((a, design_effect_a), (b, design_effect_b))
    )
    if model <= 0:
        return Scatter()
    pulls = [(one.events - one.rate * one.cases) / one.total for one in (a, b)]
    scenes = int(np.count_nonzero(a.cases + b.cases))
    share = _variance_of_sum(pulls[0] - pulls[1], scenes) / model
    kinds = (a.events, b.events, a.others().events, b.others().events)
    return _cautious(share, min(scenes_worth(one) for one in kinds))


def scenes_worth(events: F64) -> float:
    """The number of scenes that share the events evenly: (sum x)^2 / sum x^2, 0 if none.

    The small term keeps it continuous where events vanish.
    """
    return float(events.sum()) ** 2 / (float(np.sum(events**2)) + _HARDLY)


def _variance_of_sum(residuals: F64, scenes: int) -> float:
    return float(np.sum(residuals**2)) * scenes / max(scenes - 1, 1)


def _shrunk(share: float, scenes: float) -> float:
    return (scenes * share + MODEL_SCENES) / (scenes + MODEL_SCENES)


def _cautious(share: float, scenes: float) -> Scatter:
    """Shrunk towards the model, and larger as the variance itself is uncertain."""
    factor = _shrunk(share, scenes) * (1 + scenes / (scenes + MODEL_SCENES) ** 2)
    return Scatter(factor, min(1.0, share * (1 + SURELY / max(scenes, 1e-9) ** 0.5)))
