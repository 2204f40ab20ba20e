"""Put solid things into both halves of a camera+LiDAR frame."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from snellen.changes.insert3d.cloud_insertion import LidarSolid
from snellen.changes.insert3d.cloud_series import CloudSeries, inserted_series
from snellen.changes.insert3d.frame_change import FrameChange, PlacedMesh
from snellen.changes.insert3d.lidar_surfaces import surfaces_of
from snellen.changes.insert3d.seed_frame import SeedFrame, seed_frame
from snellen.changes.recipe import Materials, Recipe
from snellen.errors import UserError, nearest
from snellen.objects.meshes.mesh_set import MeshSet
from snellen.scenes.frame import Frame
from snellen.scenes.scene import Scene
from snellen.vision.arrays import Image
from snellen.vision.rendering.zbuffer import NEAR
from snellen.vision.solids.coordinate_frames import LidarPoints

if TYPE_CHECKING:
    from snellen.changes.insert3d.camera_insertion import CameraChange

SENSORS = ("both", "lidar", "camera")
_LIDAR, _CAMERA = 0, 1
"""The streams of randomness of the two halves."""


@dataclass(frozen=True)
class Insert3D(Recipe):
    """Meshes at places in the LiDAR frame, seen by both sensors and labelled.

    objects: mesh, x, y, z of the ground (metres) and yaw (radians, counter-clockwise from +x) of
    each, in the order of insertion; mesh is a name in `materials["meshes"]`. With none the frame is
    the scene's to the bit. seed: of range noise, lost returns, intensity and image noise; the first
    things' returns stay as they are when another is added. sensors: "lidar" or "camera" leave the
    other half untouched, which makes a test of what a system does when its sensors disagree.
    `materials["lidar"]` may name the sensor, for clouds that do not tell their beams.
    """

    kind: ClassVar[str] = "insert3d"
    objects: tuple[tuple[str, float, float, float, float], ...]
    seed: int
    sensors: str = "both"

    def __post_init__(self) -> None:
        if self.sensors not in SENSORS:
            raise UserError(f"insert3d: sensors '{self.sensors}'{nearest(self.sensors, SENSORS)}.")
        if self.seed < 0:
            raise UserError(f"insert3d: the seed is {self.seed}, expected a number of 0 or more.")
        plain = tuple(
            (str(mesh), float(x), float(y), float(z), float(yaw))
            for mesh, x, y, z, yaw in self.objects
        )
        object.__setattr__(self, "objects", plain)
        for mesh, *pose in plain:
            if not np.isfinite(pose).all():
                raise UserError(f"insert3d: '{mesh}' stands at {pose}; expected four numbers.")

    def build(self, scene: Scene, materials: Materials) -> Image:
        """The scene's image with the things in it."""
        if not self.objects or self.sensors == "lidar":
            return scene.pixels()
        seed = seed_frame(scene, materials.get("lidar"))
        image = scene.pixels() if seed.image is None else seed.image
        return self._shown(image, seed, self._things(materials))[0]

    def build_frame(self, scene: Scene, materials: Materials) -> Frame:
        """The scene's frame with the things in it, what is known of it, and how it came out."""
        changed, image = self.changed(scene, materials)
        return Frame(
            image,
            changed.cloud.points,
            changed.seed.calibration,
            None if changed.seed.rows is None and not self.objects else changed.known,
            changed.measurements(),
        )

    def changed(self, scene: Scene, materials: Materials) -> tuple[FrameChange, Image | None]:
        """Both halves after the insertion, and the image."""
        seed = seed_frame(scene, materials.get("lidar"))
        things = self._things(materials)
        cloud = self._cloud(seed, things)
        image, shown = seed.image, None
        if image is not None and things:
            drawn, shown = self._shown(image, seed, things)
            image = image if self.sensors == "lidar" else drawn
        return FrameChange(seed, things, cloud, shown, self.sensors), image

    def _things(self, materials: Materials) -> tuple[PlacedMesh, ...]:
        if not self.objects:
            return ()
        meshes: MeshSet = materials["meshes"]
        return tuple(
            PlacedMesh(meshes.mesh(mesh), (x, y, z, yaw)) for mesh, x, y, z, yaw in self.objects
        )

    def _cloud(self, seed: SeedFrame, things: Sequence[PlacedMesh]) -> CloudSeries:
        if not things or self.sensors == "camera":
            return CloudSeries(seed.points, np.arange(len(seed.points), dtype=np.int32))
        rngs = [np.random.default_rng((self.seed, _LIDAR, place)) for place in range(len(things))]
        return inserted_series(seed.points, seed.scan, [_solid(thing) for thing in things], rngs)

    def _shown(
        self, image: Image, seed: SeedFrame, things: Sequence[PlacedMesh]
    ) -> tuple[Image, CameraChange]:
        """The image with the things that are in the picture, and what it shows of each.

        What lies outside of the picture leaves no pixel changed, not even by its shadow.
        """
        from snellen.changes.insert3d.camera_insertion import (
            CameraChange,
            CameraTrace,
            inserted_in_image,
        )

        traces = [CameraTrace(None, None, 0.0, 0.0, 0.0)] * len(things)
        drawn = [place for place, thing in enumerate(things) if _in_picture(thing, seed)]
        if not drawn:
            nothing = np.zeros(seed.size, dtype=np.bool_)
            far = np.full(seed.size, np.inf, dtype=np.float32)
            return image, CameraChange(image, tuple(traces), nothing, far)
        rng = np.random.default_rng((self.seed, _CAMERA))
        poses = [(things[place].mesh, things[place].pose) for place in drawn]
        change = inserted_in_image(image, seed.camera, poses, rng)
        for place, trace in zip(drawn, change.things, strict=True):
            traces[place] = trace
        return change.image, replace(change, things=tuple(traces))


def _in_picture(thing: PlacedMesh, seed: SeedFrame) -> bool:
    """Whether the thing reaches into the camera's view: no side of it has all vertices outside."""
    places = seed.frames.lidar_to_camera(LidarPoints(thing.mesh.placed(*thing.pose)))
    lens = seed.frames.projection
    across, down, depth = (places @ lens[:, :3].T + lens[:, 3]).T
    height, width = seed.size
    outside = (
        across < -0.5 * depth,
        across >= (width - 0.5) * depth,
        down < -0.5 * depth,
        down >= (height - 0.5) * depth,
        depth < NEAR,
    )
    return not any(side.all() for side in outside)


def _solid(thing: PlacedMesh) -> LidarSolid:
    mesh = thing.mesh
    return LidarSolid(
        mesh.placed(*thing.pose), mesh.faces, mesh.material, surfaces_of(mesh.materials)
    )
