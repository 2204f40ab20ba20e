"""What insertions into one frame share, found once a frame and kept for the cases that follow."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from threading import Lock
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from snellen.changes.insert3d.seed_sweep import SeedSweep
from snellen.changes.lru_cache import LruCache
from snellen.changes.recipe import Image
from snellen.errors import UserError
from snellen.scenes.kitti.calibration_file import Calibration
from snellen.scenes.kitti.label_file import LabelRow
from snellen.scenes.scene import NoPicture, Picture, PictureArray, Scene
from snellen.scenes.sweep import Sweep
from snellen.vision.arrays import Points
from snellen.vision.lidar.scan import LidarScan
from snellen.vision.solids.boxes3d import Boxes3D
from snellen.vision.solids.coordinate_frames import CoordinateFrames

if TYPE_CHECKING:
    from snellen.changes.insert3d.camera_seed import CameraSeed
    from snellen.changes.insert3d.label_regions import Region
    from snellen.vision.lidar.ground_surface import GroundSurface

KEPT = 16
"""Sweeps kept at once, of some 20 MB each with a picture: as many as are open at once in a run."""
PICTURES = 2
"""Pictures kept of one sweep: as a file, and decoded."""


@dataclass(frozen=True, eq=False)
class SeedFrame:
    """A frame before anything is put in; each part is made when it is first asked for.

    half: its LiDAR half, shared by all pictures of the same sweep. size: (height, width) of the
    image in pixels, (0, 0) without one.
    """

    half: SeedSweep
    picture: Picture
    size: tuple[int, int]

    @cached_property
    def image(self) -> Image | None:
        """H x W x 3 uint8 RGB, not to be written to; None for a LiDAR-only frame."""
        if isinstance(self.picture, NoPicture):
            return None
        image = self.picture.pixels().view()
        image.flags.writeable = False
        return image

    @cached_property
    def camera(self) -> CameraSeed:
        """The image made ready: depth, light, noise and sharpness."""
        from snellen.changes.insert3d.camera_seed import camera_seed

        if self.image is None:
            raise UserError("a frame without an image has nothing to draw into.")
        return camera_seed(self.image, self.points, self.ground, self.frames, self.surface)

    @cached_property
    def own_regions(self) -> tuple[Region, ...]:
        """Of each row the pixels that it may be seen in; none where the frame has no image."""
        from snellen.changes.insert3d.label_regions import region_of

        boxes, regions = iter(self.boxes), []
        for row, own in zip(self.rows or (), self.own_points, strict=True):
            box = next(boxes) if row.solid else None
            regions.append(region_of(row, box, self.points[own, :3], self.frames, self.size))
        return tuple(regions)

    @property
    def points(self) -> Points:
        """(N, 4) float32, x y z in metres in the LiDAR frame and intensity; not to be written."""
        return self.half.points

    @property
    def calibration(self) -> Calibration:
        """How LiDAR, cameras and image lie to each other."""
        return self.half.calibration

    @property
    def frames(self) -> CoordinateFrames:
        """The converters between LiDAR, rectified camera and image."""
        return self.half.frames

    @property
    def scan(self) -> LidarScan:
        """The rays of the sweep."""
        return self.half.scan

    @property
    def ground(self) -> npt.NDArray[np.bool_]:
        """(N,) which points lie on the ground."""
        return self.half.ground

    @property
    def surface(self) -> GroundSurface:
        """The height of the ground in metres in the LiDAR frame, by x and y."""
        return self.half.surface

    @property
    def rows(self) -> tuple[LabelRow, ...] | None:
        """The labels, or None where nothing is known."""
        return self.half.rows

    @property
    def boxes(self) -> Boxes3D:
        """(K, 7) the 3D boxes of those rows that have one, in the LiDAR frame."""
        return self.half.boxes

    @property
    def own_points(self) -> tuple[npt.NDArray[np.int64], ...]:
        """Of each row the points in its 3D box, as rows of `points`; none for those without."""
        return self.half.own_points


class _Pictured:
    """A sweep with the frames of the pictures that were used with it lately."""

    def __init__(self, half: SeedSweep) -> None:
        self._half = half
        self._seeds: list[SeedFrame] = []
        self._lock = Lock()

    def frame(self, picture: Picture, size: tuple[int, int]) -> SeedFrame:
        with self._lock:
            for seed in self._seeds:
                if _same(seed.picture, picture):
                    return seed
            self._seeds = [*self._seeds, SeedFrame(self._half, picture, size)][-PICTURES:]
            return self._seeds[-1]


_SWEEPS: LruCache[tuple[Sweep, str | None], _Pictured] = LruCache(KEPT)


def seed_frame(scene: Scene, sensor: str | None = None) -> SeedFrame:
    """The frame of a scene, kept for the next case. sensor: as in `SeedSweep`."""
    sweep = scene.sweep
    if sweep is None:
        raise UserError(
            f"scene '{scene.id}' has no point cloud, so nothing can be put into both sensors. "
            "Use scenes with point clouds, such as `kind: kitti`."
        )
    pictured = _SWEEPS.get((sweep, sensor), lambda: _Pictured(SeedSweep(sweep, sensor)))
    return pictured.frame(scene.picture, scene.size)


def _same(one: Picture, other: Picture) -> bool:
    """Whether two pictures are one; a picture that was decoded twice is."""
    if isinstance(one, PictureArray) and isinstance(other, PictureArray):
        return one is other or np.array_equal(one.array, other.array)
    return one == other
