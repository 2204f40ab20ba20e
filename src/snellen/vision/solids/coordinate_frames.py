"""Transforms between LiDAR, rectified camera and image, with the frame in the type.

LiDAR: metres, x forward, y left, z up. Camera (rectified): metres, x right, y down, z forward.
Image: pixels u right, v down from the top-left corner, and the depth in metres.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import NewType

import numpy as np

from snellen.vision.arrays import F64

LidarPoints = NewType("LidarPoints", F64)
CameraPoints = NewType("CameraPoints", F64)
ImagePoints = NewType("ImagePoints", F64)


@dataclass(frozen=True, eq=False)
class CoordinateFrames:
    """The transforms of one LiDAR and one camera.

    camera_from_lidar: (4, 4), LiDAR to rectified camera. projection: (3, 4), rectified camera to
    pixels; its left 3 x 3 part must be invertible.

    >>> ahead = [[0, -1, 0, 0], [0, 0, -1, 0], [1, 0, 0, 0], [0, 0, 0, 1]]
    >>> lens = [[700, 0, 600, 0], [0, 700, 180, 0], [0, 0, 1, 0]]
    >>> CoordinateFrames(ahead, lens).lidar_to_image([[10, 0, 0]]).tolist()
    [[600.0, 180.0, 10.0]]
    """

    camera_from_lidar: F64
    projection: F64

    def __post_init__(self) -> None:
        for name, shape in (("camera_from_lidar", (4, 4)), ("projection", (3, 4))):
            value = np.array(getattr(self, name), dtype=np.float64)
            if value.shape != shape:
                raise ValueError(f"{name} has shape {value.shape}, expected {shape}")
            value.flags.writeable = False
            object.__setattr__(self, name, value)

    @cached_property
    def lidar_from_camera(self) -> F64:
        """(4, 4), rectified camera to LiDAR."""
        return np.asarray(np.linalg.inv(self.camera_from_lidar), dtype=np.float64)

    def lidar_to_camera(self, points: LidarPoints) -> CameraPoints:
        """(N, 3) points in the rectified camera frame."""
        return CameraPoints(_transformed(self.camera_from_lidar, points))

    def camera_to_lidar(self, points: CameraPoints) -> LidarPoints:
        """(N, 3) points in the LiDAR frame."""
        return LidarPoints(_transformed(self.lidar_from_camera, points))

    def camera_to_image(self, points: CameraPoints) -> ImagePoints:
        """(N, 3) pixels u, v and depth; points with a depth of 0 or less are not visible."""
        projected = _transformed(self.projection, points)
        with np.errstate(divide="ignore", invalid="ignore"):
            projected[:, :2] /= projected[:, 2:]
        return ImagePoints(projected)

    def lidar_to_image(self, points: LidarPoints) -> ImagePoints:
        """(N, 3) pixels u, v and depth."""
        return self.camera_to_image(self.lidar_to_camera(points))


def _transformed(matrix: F64, points: F64) -> F64:
    # Column by column: BLAS threads are slower on so thin a matrix.
    values = np.asarray(points, dtype=np.float64).reshape(-1, 3)
    made = np.empty((len(values), 3))
    for row in range(3):
        made[:, row] = matrix[row, 3]
        for column in range(3):
            made[:, row] += values[:, column] * matrix[row, column]
    return made
