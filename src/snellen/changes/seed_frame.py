"""What insertions into one frame share, found once a frame and kept for the cases that follow."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np
import numpy.typing as npt

from snellen.changes.lately import Lately
from snellen.changes.recipe import Image
from snellen.errors import UserError
from snellen.scenes.kitti_boxes import lidar_boxes
from snellen.scenes.kitti_calibration import Calibration
from snellen.scenes.kitti_labels import LabelRow
from snellen.scenes.kitti_points import Points
from snellen.scenes.scene import NoPicture, Picture, Scene
from snellen.scenes.sweep import Sweep
from snellen.vision.boxes3d import Boxes3D, points_inside
from snellen.vision.frames3d import Frames
from snellen.vision.lidar.scan import Scan

if TYPE_CHECKING:
    from snellen.changes.camera3d_seed import CameraSeed
    from snellen.changes.hiding_regions import Region
    from snellen.vision.lidar.ground_surface import GroundSurface

Kind = TypeVar("Kind", bound=npt.NDArray[Any])

KEPT = 8
"""Frames kept at once, of some 25 MB each."""


@dataclass(frozen=True, eq=False)
class SeedFrame:
    """A frame before anything is put in; each part is made when it is first asked for.

    size: (height, width) of the image in pixels, (0, 0) without one. sensor: a preset's name, for
    clouds that do not tell their beams.
    """

    sweep: Sweep
    picture: Picture
    size: tuple[int, int]
    sensor: str | None = None

    @cached_property
    def image(self) -> Image | None:
        """H x W x 3 uint8 RGB, not to be written to; None for a LiDAR-only frame."""
        return None if isinstance(self.picture, NoPicture) else _locked(self.picture.pixels())

    @cached_property
    def points(self) -> Points:
        """(N, 4) float32, x y z in metres in the LiDAR frame and intensity; not to be written."""
        return _locked(self.sweep.points())

    @cached_property
    def calibration(self) -> Calibration:
        """How LiDAR, cameras and image lie to each other."""
        return self.sweep.calibration()

    @cached_property
    def frames(self) -> Frames:
        """The converters between LiDAR, rectified camera and image."""
        return self.calibration.frames()

    @cached_property
    def scan(self) -> Scan:
        """The rays of the sweep, by the beams that its own points tell."""
        from snellen.vision.lidar.sweep_scan import scan_of_sweep

        return scan_of_sweep(self.points, self.sensor)

    @cached_property
    def ground(self) -> npt.NDArray[np.bool_]:
        """(N,) which points lie on the ground."""
        from snellen.vision.lidar.ground import ground_mask

        return ground_mask(self.points)

    @cached_property
    def surface(self) -> GroundSurface:
        """The height of the ground in metres in the LiDAR frame, by x and y."""
        from snellen.vision.lidar.ground_surface import ground_height

        return ground_height(self.points, self.ground)

    @cached_property
    def camera(self) -> CameraSeed:
        """The image made ready: depth, light, noise and sharpness."""
        from snellen.changes.camera3d_seed import camera_seed

        if self.image is None:
            raise UserError("a frame without an image has nothing to draw into.")
        return camera_seed(self.image, self.points, self.ground, self.frames, self.surface)

    @cached_property
    def rows(self) -> tuple[LabelRow, ...] | None:
        """The labels, or None where nothing is known."""
        return self.sweep.labels()

    @cached_property
    def boxes(self) -> Boxes3D:
        """(K, 7) the 3D boxes of those rows that have one, in the LiDAR frame."""
        return lidar_boxes([row for row in self.rows or () if row.solid], self.frames)

    @cached_property
    def own_points(self) -> tuple[npt.NDArray[np.int64], ...]:
        """Of each row the points in its 3D box, as rows of `points`; none for those without."""
        places = np.asfortranarray(self.points[:, :3])  # it is read column by column
        inside = iter(points_inside(places, self.boxes))
        none = np.zeros(0, dtype=np.int64)
        return tuple(np.flatnonzero(next(inside)) if row.solid else none for row in self.rows or ())

    @cached_property
    def own_regions(self) -> tuple[Region, ...]:
        """Of each row the pixels that it may be seen in; none where the frame has no image."""
        from snellen.changes.hiding_regions import region_of

        boxes, regions = iter(self.boxes), []
        for row, own in zip(self.rows or (), self.own_points, strict=True):
            box = next(boxes) if row.solid else None
            regions.append(region_of(row, box, self.points[own, :3], self.frames, self.size))
        return tuple(regions)


_FRAMES: Lately[tuple[Sweep, Picture, str | None], SeedFrame] = Lately(KEPT)


def seed_frame(scene: Scene, sensor: str | None = None) -> SeedFrame:
    """The frame of a scene, kept for the next case. sensor: as in `SeedFrame`."""
    sweep = scene.sweep
    if sweep is None:
        raise UserError(
            f"scene '{scene.id}' has no point cloud, so nothing can be put into both sensors. "
            "Use scenes with point clouds, such as `kind: kitti`."
        )
    picture = scene.picture
    key = (sweep, picture, sensor)
    return _FRAMES.get(key, lambda: SeedFrame(sweep, picture, scene.size, sensor))


def _locked(array: Kind) -> Kind:
    view = array.view()
    view.flags.writeable = False
    return view
