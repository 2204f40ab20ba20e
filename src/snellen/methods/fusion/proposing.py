"""What to insert next, and where: at random, or where geometry and history promise most."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.random import Generator

from snellen.methods.fusion.promise import Promise
from snellen.methods.fusion.stage import Placed, Stage, boxes_of
from snellen.methods.fusion.strain import strains
from snellen.vision.boxes3d import Boxes3D

KINDS_TRIED = 6
PLACES_EACH = 8


@dataclass(eq=False)
class Proposer:
    """Draws one mesh and one place of all that the frame allows, uniformly."""

    stage: Stage

    def propose(self, placed: tuple[Placed, ...], rng: Generator) -> Placed | None:
        """The next thing to insert beside those that are placed; None where nothing fits."""
        return next(iter(self.stage.drawn(placed, rng, kinds=1, places=1)), None)

    def learn(self, placed: Placed, others: Boxes3D, *, failed: bool) -> None:
        """Take note of what an insertion beside others led to."""


@dataclass(eq=False)
class InformedProposer(Proposer):
    """Draws many and takes the one that promises most, by geometry and by what failed before."""

    promise: Promise = field(init=False)

    def __post_init__(self) -> None:
        kinds = dict.fromkeys(kind_of(choice.name) for choice in self.stage.choices)
        self.promise = Promise(tuple(kinds))

    def propose(self, placed: tuple[Placed, ...], rng: Generator) -> Placed | None:
        """The most promising of some dozens of draws."""
        drawn = self.stage.drawn(placed, rng, kinds=KINDS_TRIED, places=PLACES_EACH)
        if not drawn:
            return None
        features = strains(boxes_of(drawn), self.stage.present(placed))
        promised = self.promise.of(features, [kind_of(one.mesh) for one in drawn])
        return drawn[int(promised.argmax())]

    def learn(self, placed: Placed, others: Boxes3D, *, failed: bool) -> None:
        """Remember what such a thing at such a place led to."""
        [features] = strains(np.array([placed.box]), others)
        self.promise.learn(features, kind_of(placed.mesh), float(failed))


def kind_of(mesh: str) -> str:
    """The kind of a mesh, of which there may be several: `sedan-2` is a sedan.

    >>> kind_of("sedan-2"), kind_of("kart")
    ('sedan', 'kart')
    """
    return mesh.rpartition("-")[0] or mesh
