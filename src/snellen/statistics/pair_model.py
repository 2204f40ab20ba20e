"""Two answers to the same cases of simulated scenes, for planning a run."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from snellen.statistics.discordant_pairs import DiscordantPairs, discordant_pairs
from snellen.vision.arrays import F64


@dataclass(frozen=True)
class PairModel:
    """What is assumed about the answers before and after a change.

    cases_a_scene: mean number of cases of a scene, at least 1. rate: of failing before. icc:
    correlation of two cases of a scene. pair_correlation: share of cases whose answers are tied,
    1 for a subject that answers alike except for the loss. loss: failing rate after minus before.
    """

    cases_a_scene: float
    rate: float
    icc: float
    pair_correlation: float
    loss: float = 0.0

    def __post_init__(self) -> None:
        shares = {"rate": self.rate, "icc": self.icc, "pair_correlation": self.pair_correlation}
        for name, value in {**shares, "rate + loss": self.rate + self.loss}.items():
            if not 0 <= value <= 1:
                raise ValueError(f"{name} must lie between 0 and 1; found {value:g}")
        if self.cases_a_scene < 1:
            raise ValueError(f"a scene has at least 1 case; found {self.cases_a_scene:g}")

    def draw(self, scenes: int, rng: np.random.Generator) -> DiscordantPairs:
        """Simulated pairs; the first is after the change, so their difference is the loss."""
        cases = 1 + rng.poisson(self.cases_a_scene - 1, scenes)
        before = self._rates_before(scenes, rng)
        after = self._rates_after(before)
        tied = rng.binomial(cases, self.pair_correlation)
        draws = rng.random((scenes, int(cases.max())))
        others = rng.random(draws.shape)
        place = np.arange(draws.shape[1])
        others = np.where(place < tied[:, None], draws, others)
        there = place < cases[:, None]
        first, second = there & (others < after[:, None]), there & (draws < before[:, None])
        return discordant_pairs(
            first.sum(axis=1),
            second.sum(axis=1),
            cases,
            (first & ~second).sum(axis=1),
            (second & ~first).sum(axis=1),
        )

    def _rates_before(self, scenes: int, rng: np.random.Generator) -> F64:
        """(scenes,) the chance to fail in each scene, beta distributed."""
        if self.icc == 1:
            return np.asarray(rng.random(scenes) < self.rate, dtype=np.float64)
        if self.icc == 0 or self.rate in (0, 1):
            return np.full(scenes, self.rate)
        scale = (1 - self.icc) / self.icc
        return rng.beta(self.rate * scale, (1 - self.rate) * scale, scenes)

    def _rates_after(self, before: F64) -> F64:
        """(scenes,) with the loss in proportion to what can still fail, or still be repaired."""
        if self.loss > 0:
            return np.asarray(before + self.loss * (1 - before) / (1 - self.rate))
        return np.asarray(before * (1 + self.loss / self.rate)) if self.loss < 0 else before
