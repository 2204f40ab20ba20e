"""What to insert next, and where: at random, or where a failure is most likely."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.random import Generator

from snellen.methods.fusion.prepared_frame import MeshInsertion, PreparedFrame, boxes_of
from snellen.methods.fusion.search.difficulty import difficulty_features
from snellen.methods.fusion.search.failure_model import FailureModel
from snellen.vision.arrays import Boxes3D

KINDS_TRIED = 6
PLACES_EACH = 8


@dataclass(eq=False)
class Proposer:
    """Draws one mesh and one allowed place, uniformly."""

    frame: PreparedFrame

    def propose(self, placed: tuple[MeshInsertion, ...], rng: Generator) -> MeshInsertion | None:
        """The next insertion, in addition to `placed`; None where nothing fits."""
        return next(iter(self.frame.drawn(placed, rng, kinds=1, places=1)), None)

    def learn(self, placed: MeshInsertion, others: Boxes3D, *, failed: bool) -> None:
        """Learn from the outcome of an insertion; others: boxes already in the frame."""


@dataclass(eq=False)
class InformedProposer(Proposer):
    """Draws many and takes the one most likely to fail, by geometry and earlier outcomes."""

    model: FailureModel = field(init=False)

    def __post_init__(self) -> None:
        kinds = dict.fromkeys(kind_of(choice.name) for choice in self.frame.choices)
        self.model = FailureModel(tuple(kinds))

    def propose(self, placed: tuple[MeshInsertion, ...], rng: Generator) -> MeshInsertion | None:
        """The most promising of a few dozen draws."""
        drawn = self.frame.drawn(placed, rng, kinds=KINDS_TRIED, places=PLACES_EACH)
        if not drawn:
            return None
        features = difficulty_features(boxes_of(drawn), self.frame.present(placed))
        promised = self.model.of(features, [kind_of(one.mesh) for one in drawn])
        return drawn[int(promised.argmax())]

    def learn(self, placed: MeshInsertion, others: Boxes3D, *, failed: bool) -> None:
        """Update the failure model with the outcome."""
        [features] = difficulty_features(np.array([placed.box]), others)
        self.model.learn(features, kind_of(placed.mesh), float(failed))


def kind_of(mesh: str) -> str:
    """The kind of a mesh: `sedan-2` is a sedan.

    >>> kind_of("sedan-2"), kind_of("kart")
    ('sedan', 'kart')
    """
    return mesh.rpartition("-")[0] or mesh
