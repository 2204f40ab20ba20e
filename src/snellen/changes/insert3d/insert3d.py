"""Insert meshes into the image and the sweep of a camera+LiDAR frame."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from snellen.changes.insert3d.cloud_insertion import LidarSolid
from snellen.changes.insert3d.cloud_series import CloudSeries, insert_solids
from snellen.changes.insert3d.frame_change import FrameChange, PlacedMesh
from snellen.changes.insert3d.lidar_surfaces import surfaces_of
from snellen.changes.insert3d.mesh_recipe import MeshRecipe
from snellen.changes.insert3d.seed_frame import SeedFrame, seed_frame
from snellen.changes.recipe import Materials
from snellen.scenes.frame import Frame
from snellen.scenes.scene import Scene
from snellen.vision.arrays import Image
from snellen.vision.rendering.zbuffer import NEAR
from snellen.vision.solids.coordinate_frames import LidarPoints

if TYPE_CHECKING:
    from snellen.changes.insert3d.camera_insertion import CameraChange

_LIDAR, _CAMERA = 0, 1
"""Random streams of the two sensors."""


@dataclass(frozen=True)
class Insert3D(MeshRecipe):
    """Meshes at poses in the LiDAR frame, seen by both sensors and labelled.

    objects, seed, sensors: as of `MeshRecipe`. With no objects, the frame equals that of the scene.
    The seed draws range noise, lost returns, intensity and image noise; returns of earlier meshes
    do not change when another is added. `materials["lidar"]` may name the sensor, for clouds from
    which the beams cannot be derived.
    """

    kind: ClassVar[str] = "insert3d"

    def build(self, scene: Scene, materials: Materials) -> Image:
        """The scene's image with the meshes."""
        if not self.objects or self.sensors == "lidar":
            return scene.pixels()
        seed = seed_frame(scene, materials.get("lidar"))
        image = scene.pixels() if seed.image is None else seed.image
        return self._insert_in_image(image, seed, self.placed(materials))[0]

    def build_frame(self, scene: Scene, materials: Materials) -> Frame:
        """The scene's frame with the meshes, its labels and its measurements."""
        change, image = self.change_frame(scene, materials)
        unlabelled = change.seed.rows is None and not self.objects
        return Frame(
            image,
            change.cloud.points,
            change.seed.calibration,
            None if unlabelled else change.labelled_objects,
            change.measurements(),
        )

    def change_frame(self, scene: Scene, materials: Materials) -> tuple[FrameChange, Image | None]:
        """The frame after the insertion, and its image."""
        seed = seed_frame(scene, materials.get("lidar"))
        meshes = self.placed(materials)
        cloud = self._cloud(seed, meshes)
        image, in_image = seed.image, None
        if image is not None and meshes:
            drawn, in_image = self._insert_in_image(image, seed, meshes)
            image = image if self.sensors == "lidar" else drawn
        return FrameChange(seed, meshes, cloud, in_image, self.sensors), image

    def _cloud(self, seed: SeedFrame, meshes: Sequence[PlacedMesh]) -> CloudSeries:
        if not meshes or self.sensors == "camera":
            return CloudSeries(seed.points, np.arange(len(seed.points), dtype=np.int32))
        rngs = [np.random.default_rng((self.seed, _LIDAR, place)) for place in range(len(meshes))]
        return insert_solids(seed.points, seed.scan, [_solid(placed) for placed in meshes], rngs)

    def _insert_in_image(
        self, image: Image, seed: SeedFrame, meshes: Sequence[PlacedMesh]
    ) -> tuple[Image, CameraChange]:
        """The image with the meshes inside its view, and what it shows of each.

        A mesh outside the image changes no pixel, not even by its shadow.
        """
        from snellen.changes.insert3d.camera_insertion import (
            CameraChange,
            CameraTrace,
            insert_in_image,
        )

        traces = [CameraTrace(None, None, 0.0, 0.0, 0.0)] * len(meshes)
        drawn = [place for place, placed in enumerate(meshes) if in_view(placed, seed)]
        if not drawn:
            nothing = np.zeros(seed.size, dtype=np.bool_)
            far = np.full(seed.size, np.inf, dtype=np.float32)
            return image, CameraChange(image, tuple(traces), nothing, far)
        rng = np.random.default_rng((self.seed, _CAMERA))
        poses = [(meshes[place].mesh, meshes[place].pose) for place in drawn]
        change = insert_in_image(image, seed.camera, poses, rng)
        for place, trace in zip(drawn, change.traces, strict=True):
            traces[place] = trace
        return change.image, replace(change, traces=tuple(traces))


def in_view(placed: PlacedMesh, seed: SeedFrame) -> bool:
    """Whether the mesh may be in view: no plane of the view frustum has all vertices outside."""
    places = seed.frames.lidar_to_camera(LidarPoints(placed.mesh.placed(*placed.pose)))
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


def _solid(placed: PlacedMesh) -> LidarSolid:
    mesh = placed.mesh
    return LidarSolid(
        mesh.placed(*placed.pose), mesh.faces, mesh.material, surfaces_of(mesh.materials)
    )
