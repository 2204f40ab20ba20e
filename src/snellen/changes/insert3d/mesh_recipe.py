"""Recipes that name meshes at poses: what they have in common."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass, replace

import numpy as np

from snellen.changes.insert3d.frame_change import FrameChange, PlacedMesh
from snellen.changes.recipe import Materials, Recipe
from snellen.errors import UserError, nearest
from snellen.objects.meshes.mesh import Mesh
from snellen.objects.meshes.mesh_set import MeshSet
from snellen.scenes.scene import Scene
from snellen.vision.arrays import Image

SENSORS = ("both", "lidar", "camera")
SCALED = "@"
"""Separates the name of a mesh from its scale."""


@dataclass(frozen=True)
class MeshRecipe(Recipe):
    """Meshes at poses in the LiDAR frame.

    objects: mesh, x, y, z of the ground (metres) and yaw (radians, counter-clockwise from +x) of
    each, in the order of insertion; mesh is a name in `materials["meshes"]`, with a scale if it is
    smaller or larger there: `sedan-1@0.5`. seed: of all that is random. sensors: "lidar" or
    "camera" leaves the other unchanged.
    """

    objects: tuple[tuple[str, float, float, float, float], ...]
    seed: int
    sensors: str = "both"

    def __post_init__(self) -> None:
        if self.sensors not in SENSORS:
            raise UserError(
                f"{self.kind}: sensors '{self.sensors}'{nearest(self.sensors, SENSORS)}."
            )
        if self.seed < 0:
            raise UserError(
                f"{self.kind}: found seed {self.seed}, expected a whole number of 0 or more."
            )
        plain = tuple(
            (str(mesh), float(x), float(y), float(z), float(yaw))
            for mesh, x, y, z, yaw in self.objects
        )
        object.__setattr__(self, "objects", plain)
        for mesh, *pose in plain:
            if not np.isfinite(pose).all():
                raise UserError(
                    f"{self.kind}: found '{mesh}' at {pose}, expected four finite numbers."
                )

    @abstractmethod
    def change_frame(self, scene: Scene, materials: Materials) -> tuple[FrameChange, Image | None]:
        """The frame after the change, and its image."""

    def placed(self, materials: Materials) -> tuple[PlacedMesh, ...]:
        """The meshes at their poses."""
        if not self.objects:
            return ()
        meshes: MeshSet = materials["meshes"]
        return tuple(
            PlacedMesh(_mesh(meshes, name), (x, y, z, yaw)) for name, x, y, z, yaw in self.objects
        )


def name_and_scale(name: str) -> tuple[str, float]:
    """The name of a mesh in its set, and its scale.

    >>> name_and_scale("sedan-1@0.5"), name_and_scale("sedan-1")
    (('sedan-1', 0.5), ('sedan-1', 1.0))
    """
    base, _, scale = name.rpartition(SCALED)
    if not base:
        return name, 1.0
    try:
        value = float(scale)
    except ValueError:
        return name, 1.0
    if not (np.isfinite(value) and value > 0):
        raise UserError(f"mesh '{name}': found scale {scale}, expected a number above 0.")
    return base, value


def scaled_name(name: str, scale: float) -> str:
    """The name of a mesh at another scale.

    >>> scaled_name("sedan-1@0.5", 0.5), scaled_name("sedan-1", 1.0)
    ('sedan-1@0.25', 'sedan-1')
    """
    base, known = name_and_scale(name)
    value = round(known * scale, 6)
    return base if value == 1.0 else f"{base}{SCALED}{value:g}"


def _mesh(meshes: MeshSet, name: str) -> Mesh:
    base, scale = name_and_scale(name)
    mesh = meshes.mesh(base)
    return mesh if scale == 1.0 else replace(mesh, name=name, vertices=mesh.vertices * scale)
