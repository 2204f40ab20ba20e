"""What all insertions into one frame share, computed once and cached."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from threading import Lock
from typing import TYPE_CHECKING

import numpy as np
from cachetools import LRUCache, cached

from snellen.changes.insert3d.seed_sweep import SeedSweep
from snellen.errors import UserError
from snellen.scenes.kitti.calibration_file import Calibration
from snellen.scenes.kitti.label_file import LabelRow
from snellen.scenes.scene import NoPicture, Picture, PictureArray, Scene
from snellen.scenes.sweep import Sweep
from snellen.vision.arrays import Bools, Boxes3D, Image, Ints, Points
from snellen.vision.lidar.scan import LidarScan
from snellen.vision.solids.coordinate_frames import CoordinateFrames

if TYPE_CHECKING:
    from snellen.changes.insert3d.camera_seed import CameraSeed
    from snellen.changes.insert3d.label_regions import Region
    from snellen.vision.lidar.ground_surface import GroundSurface

MAX_SWEEPS = 16
"""Cached sweeps, of some 20 MB each with an image: as many as a run has open at a time."""
MAX_PICTURES = 2
"""Cached pictures of one sweep: as a file, and decoded."""


@dataclass(frozen=True, eq=False)
class SeedFrame:
    """A frame before insertions; each part is computed on first use.

    lidar: the prepared sweep, shared by all pictures of it. size: (height, width) of the image in
    pixels, (0, 0) without one.
    """

    lidar: SeedSweep
    picture: Picture
    size: tuple[int, int]

    @cached_property
    def image(self) -> Image | None:
        """H x W x 3 uint8 RGB, read-only; None for a LiDAR-only frame."""
        if isinstance(self.picture, NoPicture):
            return None
        image = self.picture.pixels().view()
        image.flags.writeable = False
        return image

    @cached_property
    def camera(self) -> CameraSeed:
        """The image prepared for insertions: depth, light, noise and sharpness."""
        from snellen.changes.insert3d.camera_seed import camera_seed

        if self.image is None:
            raise UserError("nothing can be inserted into the image of a frame without one.")
        return camera_seed(self.image, self.points, self.ground, self.frames, self.surface)

    @cached_property
    def own_regions(self) -> tuple[Region, ...]:
        """The pixels in which each labelled object may be visible."""
        from snellen.changes.insert3d.label_regions import region_of

        boxes, regions = iter(self.boxes), []
        for row, own in zip(self.rows or (), self.own_points, strict=True):
            box = next(boxes) if row.solid else None
            regions.append(region_of(row, box, self.points[own, :3], self.frames, self.size))
        return tuple(regions)

    @property
    def points(self) -> Points:
        """(N, 4) float32, x y z in metres in the LiDAR frame and intensity; read-only."""
        return self.lidar.points

    @property
    def calibration(self) -> Calibration:
        """The calibration of LiDAR and cameras."""
        return self.lidar.calibration

    @property
    def frames(self) -> CoordinateFrames:
        """The converters between LiDAR, rectified camera and image."""
        return self.lidar.frames

    @property
    def scan(self) -> LidarScan:
        """The rays of the sweep."""
        return self.lidar.scan

    @property
    def ground(self) -> Bools:
        """(N,) which points are on the ground."""
        return self.lidar.ground

    @property
    def surface(self) -> GroundSurface:
        """The height of the ground in metres in the LiDAR frame, as a function of x and y."""
        return self.lidar.surface

    @property
    def rows(self) -> tuple[LabelRow, ...] | None:
        """The labels, or None if there are none."""
        return self.lidar.rows

    @property
    def boxes(self) -> Boxes3D:
        """(K, 7) the 3D boxes of the labels that have one, in the LiDAR frame."""
        return self.lidar.boxes

    @property
    def own_points(self) -> tuple[Ints, ...]:
        """For each label the indices of the points in its 3D box; empty without a box."""
        return self.lidar.own_points


class _SweepFrames:
    """A sweep with its frames for the most recent pictures."""

    def __init__(self, lidar: SeedSweep) -> None:
        self._lidar = lidar
        self._seeds: list[SeedFrame] = []
        self._lock = Lock()

    def frame(self, picture: Picture, size: tuple[int, int]) -> SeedFrame:
        with self._lock:
            for seed in self._seeds:
                if _same(seed.picture, picture):
                    return seed
            self._seeds = [*self._seeds, SeedFrame(self._lidar, picture, size)][-MAX_PICTURES:]
            return self._seeds[-1]


@cached(LRUCache(MAX_SWEEPS), lock=Lock())
def _frames_of(sweep: Sweep, sensor: str | None) -> _SweepFrames:
    return _SweepFrames(SeedSweep(sweep, sensor))


def seed_frame(scene: Scene, sensor: str | None = None) -> SeedFrame:
    """The prepared frame of a scene, cached for the next case. sensor: as in `SeedSweep`."""
    sweep = scene.sweep
    if sweep is None:
        raise UserError(
            f"scene '{scene.id}' has no point cloud, so nothing can be inserted into both sensors. "
            "Use scenes with point clouds, such as `kind: kitti`."
        )
    return _frames_of(sweep, sensor).frame(scene.picture, scene.size)


def _same(one: Picture, other: Picture) -> bool:
    """Whether two pictures are the same, even if decoded separately."""
    if isinstance(one, PictureArray) and isinstance(other, PictureArray):
        return one is other or np.array_equal(one.array, other.array)
    return one == other
