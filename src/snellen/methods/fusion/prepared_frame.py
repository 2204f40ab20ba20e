"""A frame prepared for the method: its truth, its free places, and the meshes to insert."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.random import Generator

from snellen.changes.insert3d.insert3d import Insert3D
from snellen.changes.insert3d.mesh_recipe import MeshRecipe, name_and_scale
from snellen.changes.insert3d.seed_frame import seed_frame
from snellen.changes.recipe import Recipe
from snellen.errors import UserError
from snellen.methods.fusion.frame_truth import FrameTruth
from snellen.methods.fusion.options import FusionOptions
from snellen.methods.fusion.placing.frame_places import FramePlaces
from snellen.methods.fusion.placing.limits import PlaceLimits
from snellen.methods.fusion.placing.pose import GroundPose, Size
from snellen.objects.label_names import plain_name
from snellen.objects.meshes.mesh_set import MeshSet
from snellen.scenes.scene import Scene
from snellen.vision.arrays import Bools, Boxes3D

SEEDS = 2**32
"""The number of seeds of a recipe."""
OTHERS = 16
"""Further meshes tried in place of those that fit nowhere."""


@dataclass(frozen=True)
class MeshChoice:
    """A mesh that can be inserted, its class for the subject and its size."""

    name: str
    label: int
    size: tuple[float, float, float]


@dataclass(frozen=True)
class MeshInsertion:
    """A mesh to insert at a pose. box: x y z length width height yaw in the LiDAR frame."""

    mesh: str
    label: int
    place: GroundPose
    box: tuple[float, ...]

    @classmethod
    def of(cls, choice: MeshChoice, place: GroundPose) -> MeshInsertion:
        """The insertion of a mesh at a pose."""
        return cls(choice.name, choice.label, place, tuple(place.box(choice.size).tolist()))

    def at(self, place: GroundPose) -> MeshInsertion:
        """The same mesh at another pose."""
        return MeshInsertion.of(MeshChoice(self.mesh, self.label, self.size), place)

    @property
    def size(self) -> Size:
        """Length, width and height in metres."""
        length, width, height = self.box[3:6]
        return length, width, height


@dataclass(frozen=True, eq=False)
class PreparedFrame:
    """One frame: its truth, its free places, and the meshes to insert."""

    scene: Scene
    truth: FrameTruth
    placing: FramePlaces
    choices: tuple[MeshChoice, ...]
    options: FusionOptions

    @classmethod
    def of(
        cls,
        scene: Scene,
        truth: FrameTruth,
        choices: tuple[MeshChoice, ...],
        options: FusionOptions,
        road: Bools | None = None,
    ) -> PreparedFrame:
        """The prepared frame of a scene. road: (H, W) the road in the image, if segmented."""
        seed = seed_frame(scene)
        right, left = np.radians(options.sector_degrees)
        limits = PlaceLimits(
            nearest=options.nearest,
            farthest=options.farthest,
            right=float(right),
            left=float(left),
            in_view=min(scene.size) > 0,
            behind=options.behind,
            traffic=options.traffic,
        )
        placing = FramePlaces(
            seed.points,
            seed.ground,
            truth.boxes,
            seed.frames,
            scene.size,
            limits=limits,
            road=road,
            surface=seed.surface,
        )
        return cls(scene, truth, placing, choices, options)

    def drawn(
        self, placed: Sequence[MeshInsertion], rng: Generator, *, kinds: int, places: int
    ) -> list[MeshInsertion]:
        """At most `places` insertions of each of `kinds` meshes, where allowed; perhaps none.

        A mesh that fits nowhere is replaced by another, so that a bus does not end the search.
        """
        taken = boxes_of(placed)
        made: list[list[MeshInsertion]] = []
        for pick in rng.permutation(len(self.choices))[: kinds + OTHERS].tolist():
            choice = self.choices[pick]
            found = self.placing.draw(choice.size, rng, places, taken)
            made += [[MeshInsertion.of(choice, place) for place in found]] if found else []
            if len(made) == kinds:
                break
        return [one for group in made for one in group]

    def present(self, placed: Sequence[MeshInsertion]) -> Boxes3D:
        """(N, 7) boxes of all objects in the frame with these insertions."""
        return np.concatenate([self.truth.boxes, boxes_of(placed)])

    def recipe(self, placed: Sequence[MeshInsertion], seed: int) -> Insert3D:
        """The recipe of these insertions."""
        things = tuple((one.mesh, *one.place) for one in placed)
        return Insert3D(things, seed, str(self.options.sensors))


def boxes_of(placed: Sequence[MeshInsertion]) -> Boxes3D:
    """(N, 7) the boxes of insertions."""
    return np.array([one.box for one in placed], dtype=np.float64).reshape(-1, 7)


def placed_by(recipe: Recipe, choices: Sequence[MeshChoice]) -> tuple[MeshInsertion, ...]:
    """The insertions of a recipe, or of the test that it is a null of; empty without any."""
    if not isinstance(recipe, MeshRecipe):
        return ()
    by_name = {choice.name: choice for choice in choices}
    return tuple(
        MeshInsertion.of(_scaled(name, by_name), GroundPose(*pose))
        for name, *pose in recipe.objects
    )


def _scaled(name: str, choices: Mapping[str, MeshChoice]) -> MeshChoice:
    base, scale = name_and_scale(name)
    length, width, height = choices[base].size
    return MeshChoice(name, choices[base].label, (length * scale, width * scale, height * scale))


def choices_of(
    meshes: MeshSet, class_ids: Mapping[str, int], wanted: Sequence[str] | None
) -> tuple[MeshChoice, ...]:
    """The meshes whose class the subject has; only the wanted kinds or names, if given."""
    made = []
    for name in meshes.names:
        if wanted is not None and name not in wanted and name.rpartition("-")[0] not in wanted:
            continue
        mesh = meshes.mesh(name)
        label = class_ids.get(plain_name(mesh.label))
        if label is not None:
            made.append(MeshChoice(name, label, mesh.size))
    if not made:
        raise UserError(
            "fusion.meshes: no mesh has one of the subject's classes. "
            f"Meshes: {', '.join(meshes.names[:12])}; classes: {', '.join(class_ids)}."
        )
    return tuple(made)
