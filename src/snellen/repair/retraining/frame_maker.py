"""Retraining frames of a run that inserted meshes into camera and LiDAR."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
from numpy.random import Generator

from snellen.changes.insert3d.frame_change import PlacedMesh
from snellen.changes.insert3d.insert3d import Insert3D
from snellen.contract.repairs import Retrains
from snellen.engine.seeds import unit_generator
from snellen.objects.meshes.mesh import Mesh
from snellen.repair.repair_ability import retrains_of
from snellen.repair.retraining.case_frame import CaseFrame
from snellen.repair.retraining.image_maker import STREAM
from snellen.repair.retraining.insertion_cases import insertion_cases
from snellen.repair.retraining.insertion_choice import PlaceReason
from snellen.repair.retraining.options import RetrainingOptions, SceneChoice
from snellen.repair.retraining.retraining_set import InsertedObject, LabelOrigin, RetrainingPicture
from snellen.repair.retraining.vocabulary import Vocabulary
from snellen.report.reopened_run import Reopened
from snellen.scenes.kitti.label_file import DONT_CARE, LabelRow
from snellen.scenes.scene import NoPicture, Scene, SceneSet, Skipped
from snellen.store.journal import Journal
from snellen.vision.annotations import Annotations
from snellen.vision.solids.footprints import footprints_of, grown, overlapping

SEEDS = 2**32
CLEARANCE = 0.3
"""Least distance between inserted meshes, in metres."""
Pose = tuple[str, float, float, float, float]


@dataclass(frozen=True)
class MeshPlacement:
    """A placed mesh of a tested case. pose: mesh, x, y, z of the ground, yaw."""

    case: str
    failing: bool
    pose: Pose
    sensors: str


@dataclass(frozen=True, eq=False)
class FrameMaker:
    """Makes the frames of one run, a scene at a time. scenes: all scenes of the run."""

    journal: Journal
    run: Reopened
    scenes: SceneSet
    options: RetrainingOptions
    vocabulary: Vocabulary
    left_out: list[Skipped] = field(default_factory=list)

    @cached_property
    def retrains(self) -> Retrains:
        """What the run's method offers to retraining sets."""
        return retrains_of(self.run.campaign.method, self.journal.path.parent)

    def pictures(self) -> list[RetrainingPicture]:
        """The frames of all scenes, in the run's order."""
        tested: dict[str, list[MeshPlacement]] = defaultdict(list)
        for one in insertion_cases(self.journal, self.retrains):
            recipe = one.recipe
            assert isinstance(recipe, Insert3D)
            placement = MeshPlacement(one.case, one.failing, recipe.objects[-1], recipe.sensors)
            tested[one.scene].append(placement)
        every = self.options.among == SceneChoice.TESTED
        return [
            made
            for scene, places in tested.items()
            if every or any(place.failing for place in places)
            for made in self._of_scene(self.run.scene(scene), places)
        ]

    def _of_scene(self, scene: Scene, places: Sequence[MeshPlacement]) -> list[RetrainingPicture]:
        rng = unit_generator(self.options.seed, STREAM, scene.id)
        left = [places[one] for one in rng.permutation(len(places)).tolist()]
        made: list[RetrainingPicture] = []
        for number in range(self.options.pictures):
            failing = self._clear_places(
                [one for one in left if one.failing], (), self.options.failing
            )
            random = self._clear_places(left, failing, self.options.random)
            if not failing and (self.options.failing or not random):
                break
            used = {one.case for one in (*failing, *random)}
            left = [one for one in left if one.case not in used]
            made.append(self._frame(scene, failing, random, number, rng))
        if not made:
            self.left_out.append(Skipped(scene.id, "no free place left"))
        return made

    def _clear_places(
        self, places: Sequence[MeshPlacement], beside: Sequence[MeshPlacement], count: int
    ) -> list[MeshPlacement]:
        """The first `count` places that are clear of each other and of those in `beside`."""
        taken: list[MeshPlacement] = []
        for place in places:
            if len(taken) == count:
                break
            others = [*beside, *taken]
            if place not in others and not self._touches(place, others):
                taken.append(place)
        return taken

    def _touches(self, place: MeshPlacement, others: Sequence[MeshPlacement]) -> bool:
        boxes = footprints_of([self._thing(one).box for one in others])
        own = grown(footprints_of(self._thing(place).box), CLEARANCE)
        return bool(overlapping(own, boxes).any())

    def _thing(self, place: MeshPlacement) -> PlacedMesh:
        mesh: Mesh = self.run.materials["meshes"].mesh(place.pose[0])
        return PlacedMesh(mesh, place.pose[1:])

    def _frame(
        self,
        scene: Scene,
        failing: Sequence[MeshPlacement],
        random: Sequence[MeshPlacement],
        number: int,
        rng: Generator,
    ) -> RetrainingPicture:
        both = [(PlaceReason.FAILING, one) for one in failing] + [
            (PlaceReason.RANDOM, one) for one in random
        ]
        seed = int(rng.integers(SEEDS))
        recipe = Insert3D(tuple(one.pose for _, one in both), seed, both[0][1].sensors)
        frame = CaseFrame(scene, recipe, self.run.materials, self.labelled)
        inserted = tuple(self.inserted_object(one, why) for why, one in both)
        changed = self.scene_of(frame, f"{scene.id}-retrain{number}")
        return RetrainingPicture(
            changed, scene, recipe.to_json(), LabelOrigin.ANNOTATIONS, inserted
        )

    @property
    def labelled(self) -> bool:
        """Whether inserted meshes are labelled."""
        return self.options.label_inserted

    def scene_of(self, frame: CaseFrame, id: str) -> Scene:
        """The frame as a scene with this id."""
        scene = frame.scene
        bare = isinstance(scene.picture, NoPicture)
        picture = NoPicture(scene.id) if bare else frame
        return Scene(
            id, picture, scene.size, annotations_of(frame.labels(), self.vocabulary), sweep=frame
        )

    def inserted_object(self, one: MeshPlacement, why: PlaceReason) -> InsertedObject:
        """The manifest's entry of a mesh."""
        thing = self._thing(one)
        box = tuple(round(float(value), 3) for value in thing.box)
        return InsertedObject(why, one.case, one.pose[0], thing.mesh.label, box)


def annotations_of(rows: Sequence[LabelRow], vocabulary: Vocabulary) -> Annotations:
    """The 2D boxes of KITTI labels."""
    if not rows:
        return Annotations.empty()
    return Annotations(
        np.array([row.box for row in rows], dtype=np.float32),
        np.array([vocabulary.label(row.type) for row in rows], dtype=np.int64),
        ignore=np.array([row.type == DONT_CARE for row in rows]),
    )
