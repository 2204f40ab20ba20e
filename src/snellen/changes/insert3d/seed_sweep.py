"""What all insertions into one sweep share, whatever its picture."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from snellen.errors import UserError
from snellen.scenes.kitti.calibration_file import Calibration
from snellen.scenes.kitti.label_file import LabelRow
from snellen.scenes.kitti.lidar_boxes import lidar_boxes
from snellen.scenes.sweep import Sweep, SweepFiles
from snellen.vision.arrays import Bools, Boxes3D, Ints, Points
from snellen.vision.lidar.scan import LidarScan
from snellen.vision.solids.coordinate_frames import CoordinateFrames

if TYPE_CHECKING:
    from snellen.vision.lidar.ground_surface import GroundSurface


@dataclass(frozen=True, eq=False)
class SeedSweep:
    """A sweep before insertions; each part is computed on first use.

    sensor: name of a preset, for clouds from which the beams cannot be derived.
    """

    sweep: Sweep
    sensor: str | None = None

    @cached_property
    def points(self) -> Points:
        """(N, 4) float32, x y z in metres in the LiDAR frame and intensity; read-only."""
        points = self.sweep.points().view()
        points.flags.writeable = False
        return points

    @cached_property
    def calibration(self) -> Calibration:
        """The calibration of LiDAR and cameras."""
        return self.sweep.calibration()

    @cached_property
    def frames(self) -> CoordinateFrames:
        """The converters between LiDAR, rectified camera and image."""
        return self.calibration.frames()

    @cached_property
    def scan(self) -> LidarScan:
        """The rays of the sweep, with beams derived from its own points."""
        from snellen.vision.lidar.scan import scan_of_sweep

        try:
            return scan_of_sweep(self.points, self.sensor)
        except UserError as error:
            if isinstance(self.sweep, SweepFiles):
                raise UserError(f"{self.sweep.points_file}: {error}") from None
            raise

    @cached_property
    def ground(self) -> Bools:
        """(N,) which points are on the ground."""
        from snellen.vision.lidar.ground import ground_mask

        return ground_mask(self.points)

    @cached_property
    def surface(self) -> GroundSurface:
        """The height of the ground in metres in the LiDAR frame, as a function of x and y."""
        from snellen.vision.lidar.ground_surface import ground_height

        return ground_height(self.points, self.ground)

    @cached_property
    def rows(self) -> tuple[LabelRow, ...] | None:
        """The labels, or None if there are none."""
        return self.sweep.labels()

    @cached_property
    def boxes(self) -> Boxes3D:
        """(K, 7) the 3D boxes of the labels that have one, in the LiDAR frame."""
        return lidar_boxes([row for row in self.rows or () if row.solid], self.frames)

    @cached_property
    def own_points(self) -> tuple[Ints, ...]:
        """For each label the indices of the points in its 3D box; empty without a box."""
        from snellen.changes.insert3d.box_points_kernels import points_in_boxes

        inside = iter(points_in_boxes(self.points, self.boxes))
        none = np.zeros(0, dtype=np.int64)
        return tuple(np.flatnonzero(next(inside)) if row.solid else none for row in self.rows or ())
