"""The null of an insertion: the same silhouettes in both sensors, filled with background."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from snellen.changes.insert3d.background_fill import BackgroundFill, Filling
from snellen.changes.insert3d.cloud_series import CloudSeries
from snellen.changes.insert3d.filled_sensors import fill_pixels, filled_cloud
from snellen.changes.insert3d.frame_change import FrameChange, PlacedMesh
from snellen.changes.insert3d.insert3d import in_view
from snellen.changes.insert3d.mesh_recipe import MeshRecipe
from snellen.changes.insert3d.protected_regions import ProtectedBox, protected_regions
from snellen.changes.insert3d.seed_frame import SeedFrame, seed_frame
from snellen.changes.recipe import Materials
from snellen.errors import UserError
from snellen.scenes.frame import Frame
from snellen.scenes.kitti.labelled_objects import labelled_objects
from snellen.scenes.scene import Scene
from snellen.vision.arrays import Image

if TYPE_CHECKING:
    from snellen.changes.insert3d.camera_insertion import CameraChange
    from snellen.changes.insert3d.silhouettes import PixelSilhouette, RaySilhouette

_FILL = 2
"""The random stream of the background; an insertion has two of its own."""


@dataclass(frozen=True)
class Null3D(MeshRecipe):
    """Background of the frame where `Insert3D` would show meshes: the control of an insertion.

    objects, sensors: as of the insertion. Its pixels are repainted through the same soft edge with
    those a few columns beside, its beams return as those a few beams beside do, by the same angle.
    So both sensors change at the same place (shadows included), and nothing new is to be seen.
    Unchanged are the pixels and points of labelled objects, and of those in `kept` (x y z length
    width height yaw in the LiDAR frame, x1 y1 x2 y2 in pixels): the null hides nothing that must be
    detected. seed: draws the angle.

    The measurements are those of the insertion: what it would leave visible of each labelled
    object, so that the same objects need not be detected.
    """

    kind: ClassVar[str] = "null3d"
    kept: tuple[ProtectedBox, ...] = ()

    def __post_init__(self) -> None:
        super().__post_init__()
        plain = tuple(tuple(float(value) for value in box) for box in self.kept)
        if any(len(box) != 11 or not np.isfinite(box).all() for box in plain):
            raise UserError(
                f"{self.kind}: found kept {plain}, expected eleven finite numbers for each object."
            )
        object.__setattr__(self, "kept", plain)

    def build(self, scene: Scene, materials: Materials) -> Image:
        """The scene's image with the background."""
        if not self.objects or self.sensors == "lidar":
            return scene.pixels()
        image = self.change_frame(scene, materials)[1]
        return scene.pixels() if image is None else image

    def build_frame(self, scene: Scene, materials: Materials) -> Frame:
        """The scene's frame with the background; its labels are those of the scene."""
        change, image = self.change_frame(scene, materials)
        points, calibration = change.cloud.points, change.seed.calibration
        assert scene.sweep is not None
        truth = labelled_objects(scene.sweep, points)
        return Frame(image, points, calibration, truth, change.measurements())

    def change_frame(self, scene: Scene, materials: Materials) -> tuple[FrameChange, Image | None]:
        """The frame after the change, and its image."""
        seed, meshes = seed_frame(scene, materials.get("lidar")), self.placed(materials)
        pixels, in_image = self._pixels(seed, meshes)
        rays = self._rays(seed, meshes)
        fill = BackgroundFill(seed, protected_regions(seed, self.kept))
        rng = np.random.default_rng((self.seed, _FILL))
        found = [fill.filling(*one, rng) for one in zip(meshes, pixels, rays, strict=True)]
        cloud = _filled_cloud(seed, rays, found)
        return FrameChange(seed, (), cloud, in_image, self.sensors), _filled(seed, pixels, found)

    def _pixels(
        self, seed: SeedFrame, meshes: Sequence[PlacedMesh]
    ) -> tuple[list[PixelSilhouette | None], CameraChange | None]:
        """The silhouette of each mesh in the image, None outside its view; what they cover."""
        from snellen.changes.insert3d.silhouettes import pixel_silhouettes

        seen = [seed.image is not None and self.sensors != "lidar" and in_view(one, seed)
                for one in meshes]  # fmt: skip
        if seed.image is None or not any(seen):
            return [None] * len(meshes), None
        shown = [one for one, there in zip(meshes, seen, strict=True) if there]
        made, change = pixel_silhouettes(seed.image, seed.camera, shown)
        rest = iter(made)
        return [next(rest) if there else None for there in seen], change

    def _rays(self, seed: SeedFrame, meshes: Sequence[PlacedMesh]) -> list[RaySilhouette | None]:
        from snellen.changes.insert3d.silhouettes import ray_silhouettes

        if self.sensors == "camera":
            return [None] * len(meshes)
        return [*ray_silhouettes(seed.scan, meshes)]


def _filled(
    seed: SeedFrame, pixels: Sequence[PixelSilhouette | None], found: Sequence[Filling]
) -> Image | None:
    if seed.image is None or not any(pixels):
        return seed.image
    image = seed.image.copy()
    for own, filling in zip(pixels, found, strict=True):
        if own is not None:
            fill_pixels(image, seed.image, own, filling.columns)
    return image


def _filled_cloud(
    seed: SeedFrame, rays: Sequence[RaySilhouette | None], found: Sequence[Filling]
) -> CloudSeries:
    own = [one.rays for one in rays if one is not None]
    if not own:
        return CloudSeries(seed.points, np.arange(len(seed.points), dtype=np.int32))
    sources = np.concatenate([one.rays for one in found])
    return filled_cloud(seed.points, seed.scan, np.concatenate(own), sources)
