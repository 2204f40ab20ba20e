"""How much scenes scatter, compared with what their correlation explains.

The variance of a figure between scenes, taken from the data alone, is divided by the variance that
the learned correlations give. The more scenes have events, the more the data count; a few scenes
say little about their own scatter.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from snellen.statistics.discordant_pairs import DiscordantPairs
from snellen.statistics.scene_counts import SceneCounts, scenes_worth
from snellen.vision.arrays import F64

MODEL_SCENES = 4.0
"""Scenes with events that weigh as much as the model."""
CAUTION = 0.1
"""More of them for each case of a scene beyond the first, to lower the model's variance."""
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


def rate_scatter(counts: SceneCounts, design_effect: float, scenes: float) -> Scatter:
    """Of one rate: never less than the model's, which has this mean design effect.

    scenes: `scenes_with_both`. Single cases can't scatter more than independent ones.
    """
    p = counts.rate
    if p in (0.0, 1.0):
        return Scatter()
    found = variance_of_sum(counts.events - p * counts.cases, counts.scenes)
    share = found / (p * (1 - p) * counts.total * design_effect)
    factor = max(1.0, _shrunk(share, scenes) * (1 + 2 * _doubt(scenes)))
    return Scatter(1 + (factor - 1) * (1 - 1 / max(counts.typical_size, 1.0)))


def paired_scatter(pairs: DiscordantPairs, design_effect: float) -> Scatter:
    """Of the net of discordant pairs."""
    p, q = pairs.first.rate, pairs.second.rate
    model = (p * (1 - p) + q * (1 - q)) * pairs.first.total * design_effect
    if model <= 0:
        return Scatter()
    net = pairs.first.events - pairs.second.events
    found = variance_of_sum(net - (p - q) * pairs.first.cases, pairs.first.scenes)
    scenes = scenes_worth(pairs.either.events)
    return scatter_of(found / model, scenes, pairs.first.typical_size)


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
    share = variance_of_sum(pulls[0] - pulls[1], scenes) / model
    kinds = (a.events, b.events, a.others().events, b.others().events)
    size = max(a.typical_size, b.typical_size)
    return scatter_of(share, min(scenes_worth(one) for one in kinds), size)


def variance_of_sum(residuals: F64, scenes: int) -> float:
    """The variance of a sum over scenes, from what each contributes beyond its expectation."""
    return float(np.sum(residuals**2)) * scenes / max(scenes - 1, 1)


def scenes_with_both(counts: SceneCounts) -> float:
    """The scenes that show how a rate scatters: with events, and with cases without them."""
    worth = [scenes_worth(one.events) for one in (counts, counts.others())]
    return worth[0] * worth[1] / sum(worth) if sum(worth) > 0 else 0.0


def scatter_of(share: float, scenes: float, size: float) -> Scatter:
    """From the share of the model's variance that was found, and the scenes that show it.

    Shrunk towards the model, more so if scenes are large (size: of a typical one) and seem to
    scatter less, and larger as the variance itself is uncertain.
    """
    model_scenes = MODEL_SCENES + (CAUTION * (size - 1) if share < 1 else 0.0)
    factor = _shrunk(share, scenes, model_scenes) * (1 + _doubt(scenes))
    return Scatter(factor, min(1.0, share * (1 + SURELY / max(scenes, 1e-9) ** 0.5)))


def _shrunk(share: float, scenes: float, model_scenes: float = MODEL_SCENES) -> float:
    return (scenes * share + model_scenes) / (scenes + model_scenes)


def _doubt(scenes: float) -> float:
    """How uncertain a variance is that these scenes show, beyond its shrinking."""
    return scenes / (scenes + MODEL_SCENES) ** 2
