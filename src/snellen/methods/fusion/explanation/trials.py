"""The counterfactual questions about an insertion that breaks the relation."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.random import Generator

from snellen.changes.insert3d.insert3d import Insert3D
from snellen.changes.recipe import Recipe
from snellen.methods.fusion.explanation.evidence import (
    HIDING,
    NULL_RUNGS,
    SLIGHT_RUNGS,
    RungName,
)
from snellen.methods.fusion.explanation.moved_poses import (
    aside,
    behind,
    elsewhere,
    farther,
    slightly_off,
)
from snellen.methods.fusion.explanation.struck_target import StruckTarget
from snellen.methods.fusion.null_controls import NullMaker
from snellen.methods.fusion.placing.pose import GroundPose
from snellen.methods.fusion.prepared_frame import (
    SEEDS,
    MeshChoice,
    MeshInsertion,
    PreparedFrame,
    boxes_of,
)
from snellen.vision.arrays import Boxes3D
from snellen.vision.detections3d import Detections3D
from snellen.vision.solids.bearing_occlusion import hidden_shares

Trial = tuple[str, Recipe]
"""The name of a rung, and its recipe."""


@dataclass(frozen=True, eq=False)
class Trials:
    """Counterfactuals of one finding.

    recipe: of the finding; placed: its insertions. target: what it strikes; before: the answer
    about the original frame. hidden: the share of the struck object that others hide.
    """

    recipe: Insert3D
    placed: tuple[MeshInsertion, ...]
    target: StruckTarget
    before: Detections3D
    hidden: float
    frame: PreparedFrame
    nulls: NullMaker
    rng: Generator

    def one_sensor(self) -> list[Trial]:
        """Only the image changed, and only the cloud; none if the finding changes one alone."""
        if self.recipe.sensors != "both" or min(self.frame.scene.size) == 0:
            return []
        return [
            (RungName.IMAGE, replace(self.recipe, sensors="camera")),
            (RungName.CLOUD, replace(self.recipe, sensors="lidar")),
        ]

    def background(self) -> list[Trial]:
        """Nulls with other backgrounds."""
        seeds = self.rng.integers(SEEDS, size=NULL_RUNGS).tolist()
        return [(RungName.NULL, self.nulls.question(self.recipe, seed).recipe) for seed in seeds]

    def slightly_off(self) -> list[Trial]:
        """All insertions at poses 1 to 2 cm and 1 degree off."""
        poses = [one.place for one in self.placed]
        return [
            (RungName.SLIGHT, self._at(slightly_off(poses, turn, self.rng)))
            for turn in range(SLIGHT_RUNGS)
        ]

    def other_places(self) -> list[Trial]:
        """The culprit elsewhere, and another mesh in its place."""
        one, taken = self.placed[self.culprit], self._others()
        trials: list[tuple[str, GroundPose | None]] = []
        if self.hidden > HIDING:
            trials.append((RungName.ASIDE, aside(one, self._hiders(), taken, self.frame)))
            if self.target.before is not None:
                struck = self.before.boxes[self.target.before]
                trials.append((RungName.BEHIND, behind(one, struck, taken, self.frame)))
        if self.target.inserted is None:
            trials.append((RungName.FARTHER, farther(one, taken, self.frame)))
        else:
            trials.append((RungName.ELSEWHERE, elsewhere(one, taken, self.frame, self.rng)))
        made: list[Trial] = [
            (name, self._with(one.mesh, pose)) for name, pose in trials if pose is not None
        ]
        other = self._other_mesh(one)
        if other is not None:
            made.insert(0, (RungName.OTHER, self._with(other.name, one.place)))
        return made

    @cached_property
    def culprit(self) -> int:
        """The insertion that is moved: the missed one, the one that hides most, or the last."""
        if self.target.inserted is not None:
            return self.target.inserted
        if self.target.before is not None:
            struck = self.before.boxes[[self.target.before]]
            [shares] = hidden_shares(struck, boxes_of(self.placed))
            if shares.max(initial=0.0) > 0:
                return int(shares.argmax())
        return len(self.placed) - 1

    def _hiders(self) -> Boxes3D:
        """(N, 7) the boxes that the culprit must stand apart from, so that nothing is hidden."""
        if self.target.inserted is None:
            return np.array([self.before.boxes[self.target.before]]).reshape(-1, 7)
        return np.concatenate([self.frame.truth.boxes, self._others()])

    def _others(self) -> Boxes3D:
        return boxes_of([one for k, one in enumerate(self.placed) if k != self.culprit])

    def _other_mesh(self, one: MeshInsertion) -> MeshChoice | None:
        """Another mesh of the class, the one of the most similar size."""
        alike = [
            choice
            for choice in self.frame.choices
            if choice.label == one.label and choice.name != one.mesh
        ]
        apart = [float(np.abs(np.array(choice.size) - one.size).max()) for choice in alike]
        return alike[int(np.argmin(apart))] if alike else None

    def _with(self, mesh: str, pose: GroundPose) -> Insert3D:
        """The finding with another mesh or pose of the culprit."""
        objects = list(self.recipe.objects)
        objects[self.culprit] = (mesh, *pose)
        return replace(self.recipe, objects=tuple(objects))

    def _at(self, poses: Sequence[GroundPose]) -> Insert3D:
        objects = [(one.mesh, *pose) for one, pose in zip(self.placed, poses, strict=True)]
        return replace(self.recipe, objects=tuple(objects))
