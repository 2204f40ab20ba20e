"""The counterfactual questions about an insertion that breaks the relation."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.random import Generator

from snellen.changes.insert3d.insert3d import Insert3D
from snellen.changes.recipe import Recipe
from snellen.methods.fusion.explanation.evidence import HIDING, NULL_RUNGS, SLIGHT_RUNGS
from snellen.methods.fusion.explanation.moved_poses import (
    Shift,
    aside,
    behind,
    elsewhere,
    farther,
    fits,
    shifted,
    slight_shift,
)
from snellen.methods.fusion.explanation.rung_names import RungName
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
from snellen.vision.arrays import F64, Boxes3D
from snellen.vision.detections3d import Detections3D
from snellen.vision.solids.bearing_occlusion import hidden_shares

ELSEWHERE, MISSED_ELSEWHERE = 2, 3
"""How many other places are tried for an insertion, and for one that is missed."""

SHARES, SAME_SHARE = (1.0, 0.5, 0.25, 0.125), 0.02
"""Shares of a slight shift, largest first, and by how much it may change what is hidden."""

Trial = tuple[RungName, Recipe]
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
        """All insertions at poses 1 to 2 cm and 1 degree off.

        Less where that would hide clearly more or less of the struck object: the end of a bus
        moves by 10 cm, which may be all that it hides.
        """
        shifts = [slight_shift(turn, self.rng) for turn in range(SLIGHT_RUNGS)]
        return [(RungName.SLIGHT, self._at(self._slightly_off(one))) for one in shifts]

    def _slightly_off(self, shift: Shift) -> list[GroundPose]:
        hidden = self._hidden_by_each(self.placed)
        poses: list[GroundPose] = []
        for share in SHARES:
            poses = [shifted(one.place, shift, share) for one in self.placed]
            moved = [one.at(pose) for one, pose in zip(self.placed, poses, strict=True)]
            if np.abs(self._hidden_by_each(moved) - hidden).max(initial=0.0) <= SAME_SHARE:
                break
        return poses

    def _hidden_by_each(self, placed: Sequence[MeshInsertion]) -> F64:
        """(N,) the share of the struck object's bearings that each of the others hides."""
        boxes = boxes_of(placed)
        if self.target.inserted is not None:
            others = np.concatenate([self.frame.truth.boxes, boxes])
            return np.asarray(hidden_shares(boxes[[self.target.inserted]], others)[0])
        struck = self.before.boxes[self._struck_rows]
        return np.asarray(hidden_shares(struck, boxes).max(axis=0, initial=0.0))

    @property
    def _struck_rows(self) -> list[int]:
        """The index of the struck object among the detections before; empty for a phantom."""
        return [] if self.target.before is None else [self.target.before]

    def only(self, kept: Sequence[int], hidden: float) -> Trials:
        """Those of the finding with some of its insertions. hidden: the share in that case."""
        target, missed = self.target, self.target.inserted
        if missed is not None:
            target = replace(target, inserted=kept.index(missed))
        return replace(
            self,
            recipe=replace(self.recipe, objects=tuple(self.recipe.objects[k] for k in kept)),
            placed=tuple(self.placed[k] for k in kept),
            target=target,
            hidden=hidden,
        )

    def other_places(self) -> list[Trial]:
        """Other meshes in place of the culprit, and the culprit elsewhere."""
        one, taken = self.placed[self.culprit], self._others()
        poses: list[tuple[RungName, GroundPose | None]] = []
        if self.hidden > HIDING and self.target.before is not None:
            struck = self.before.boxes[self.target.before]
            poses.append((RungName.BEHIND, behind(one, struck, taken, self.frame)))
        if self.target.inserted is None:
            poses.append((RungName.FARTHER, farther(one, taken, self.frame)))
        count = ELSEWHERE if self.target.inserted is None else MISSED_ELSEWHERE
        off = elsewhere(one, taken, self.frame, self.rng, count)
        poses += [(RungName.ELSEWHERE, pose) for pose in off]
        moved: list[Trial] = [
            (name, self._with(one.mesh, pose)) for name, pose in poses if pose is not None
        ]
        return [*self._other_meshes(), *self._asides(), *moved]

    @cached_property
    def culprit(self) -> int:
        """The insertion that is moved: the missed one, the one that hides most, or the last."""
        if self.target.inserted is not None:
            return self.target.inserted
        if self._shares.max(initial=0.0) > 0:
            return int(self._shares.argmax())
        return len(self.placed) - 1

    def _asides(self) -> list[Trial]:
        """To the left and to the right, so far that nothing is hidden; none if nothing is."""
        made: list[Trial] = []
        for way in (1, -1) if self.hidden > HIDING else ():
            placed = self._moved_aside(way)
            if placed is not None:
                made.append((RungName.ASIDE, self._at([one.place for one in placed])))
        return made

    def _moved_aside(self, way: int) -> list[MeshInsertion] | None:
        """The insertions, with the missed one aside, or all that hide the struck object."""
        placed = list(self.placed)
        if self.target.inserted is not None:
            movers = [self.culprit]
            clear_of = np.concatenate([self.frame.truth.boxes, self._others()])
        else:
            movers = [k for k in range(len(placed)) if self._shares[k] > 0 or k == self.culprit]
            clear_of = self.before.boxes[self._struck_rows]
        for k in movers:
            taken = boxes_of([one for j, one in enumerate(placed) if j != k])
            pose = aside(placed[k], clear_of, taken, self.frame, way)
            if pose is None:
                return None
            placed[k] = placed[k].at(pose)
        return placed

    @cached_property
    def _shares(self) -> F64:
        """(N,) the share of the struck object's bearings that each insertion hides."""
        return self._hidden_by_each(self.placed)

    def _others(self) -> Boxes3D:
        return boxes_of([one for k, one in enumerate(self.placed) if k != self.culprit])

    def others_at(self, poses: Sequence[GroundPose]) -> list[Trial]:
        """The least similar mesh of another class that fits at each of these poses."""
        fitting = [(self._fitting(pose, alike=False)[-1:], pose) for pose in poses]
        return [
            (RungName.OTHER_ELSEWHERE, self._with(other.name, pose))
            for found, pose in fitting
            for other in found
        ]

    def _other_meshes(self) -> list[Trial]:
        """Other meshes at the culprit's pose, by size.

        The most similar of the class and of two other classes; also the least similar of the class
        for an insertion that is missed.
        """
        place = self.placed[self.culprit].place
        alike, unlike = (self._fitting(place, alike=same) for same in (True, False))
        chosen = [(RungName.OTHER, other) for other in alike[:1]]
        if self.target.inserted is not None:
            chosen += [(RungName.OTHER, other) for other in alike[1:][-1:]]
        first = {other.label: other for other in reversed(unlike)}
        nearest = [other for other in unlike if first[other.label] is other][:2]
        chosen += [(RungName.OTHER_CLASS, other) for other in nearest]
        return [(name, self._with(other.name, place)) for name, other in chosen]

    def _fitting(self, pose: GroundPose, *, alike: bool) -> list[MeshChoice]:
        """The other meshes of the culprit's class, or of others, that fit; most similar first."""
        one, taken = self.placed[self.culprit], self._others()
        found = [
            choice
            for choice in self.frame.choices
            if choice.name != one.mesh
            and (choice.label == one.label) == alike
            and fits(pose, choice.size, taken, self.frame)
        ]
        apart = [float(np.abs(np.array(choice.size) - one.size).max()) for choice in found]
        return [found[k] for k in np.argsort(apart, kind="stable")]

    def _with(self, mesh: str, pose: GroundPose) -> Insert3D:
        """The finding with another mesh or pose of the culprit."""
        objects = list(self.recipe.objects)
        objects[self.culprit] = (mesh, *pose)
        return replace(self.recipe, objects=tuple(objects))

    def _at(self, poses: Sequence[GroundPose]) -> Insert3D:
        objects = [(one.mesh, *pose) for one, pose in zip(self.placed, poses, strict=True)]
        return replace(self.recipe, objects=tuple(objects))
