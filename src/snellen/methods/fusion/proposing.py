"""What to insert next, and where: at random, or where geometry and history promise most."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt
from numpy.random import Generator

from snellen.methods.fusion.stage import Placed, Stage
from snellen.methods.fusion.strain import strains
from snellen.vision.boxes3d import Boxes3D

Floats = npt.NDArray[np.float64]

KINDS_TRIED = 6
PLACES_EACH = 8
PRIOR = (0.8, 1.0, 0.8, 0.5)
"""What each feature of FEATURES is worth before anything was asked; set on synthetic streets."""
LEARNING = 1.0
CURIOSITY = 0.15


@dataclass(eq=False)
class Proposer:
    """Draws one mesh and one place of all that the frame allows, uniformly."""

    stage: Stage

    def propose(self, placed: tuple[Placed, ...], rng: Generator) -> Placed | None:
        """The next thing to insert beside those that are placed; None where nothing fits."""
        return next(iter(self.stage.drawn(placed, rng, kinds=1, places=1)), None)

    def learn(self, placed: Placed, others: Boxes3D, gain: float) -> None:
        """Take note of what an insertion did to the fitness."""


@dataclass(eq=False)
class InformedProposer(Proposer):
    """Draws many and takes the one that strains most, by features that paid before.

    history: features of what was asked in this frame, and whether the fitness rose by it.
    """

    history: list[tuple[Floats, float]] = field(default_factory=list)

    def propose(self, placed: tuple[Placed, ...], rng: Generator) -> Placed | None:
        """The most promising of some dozens of draws."""
        drawn = self.stage.drawn(placed, rng, kinds=KINDS_TRIED, places=PLACES_EACH)
        if not drawn:
            return None
        boxes = np.array([one.box for one in drawn])
        features = strains(boxes, self.stage.present(placed))
        promise = features @ self._worth() + CURIOSITY * rng.random(len(drawn))
        return drawn[int(promise.argmax())]

    def learn(self, placed: Placed, others: Boxes3D, gain: float) -> None:
        """Remember the features and the gain."""
        [features] = strains(np.array([placed.box]), others)
        self.history.append((features, gain))

    def _worth(self) -> Floats:
        """(4,) the prior, moved towards features that came with gains in this frame."""
        worth = np.array(PRIOR)
        for features, gain in self.history:
            worth += LEARNING * gain * (features - features.mean())
        return np.asarray(np.clip(worth, 0.0, None))
