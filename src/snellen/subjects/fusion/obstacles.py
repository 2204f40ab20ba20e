"""Obstacles: LiDAR returns above the ground, in the camera's view."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from snellen.scenes.frame import Frame
from snellen.vision.arrays import F64, Bools, Ints
from snellen.vision.lidar.ground import SENSOR_HEIGHT, ground_mask
from snellen.vision.solids.coordinate_frames import CoordinateFrames

LOWEST, HIGHEST = 0.15, 2.4
"""Metres above the ground between which a return belongs to an obstacle."""

PATCH = 0.5
NEIGHBOURS = 5


@dataclass(frozen=True, eq=False)
class Obstacles:
    """Returns that do not come from the ground.

    points: (N, 3) metres in the LiDAR frame. pixels: (N, 2) their projection into the image.
    ground: (N,) height of the ground below each, z in the LiDAR frame.
    """

    points: F64
    pixels: F64
    ground: F64

    def __len__(self) -> int:
        return len(self.points)

    def __getitem__(self, chosen: Ints | Bools) -> Obstacles:
        return Obstacles(self.points[chosen], self.pixels[chosen], self.ground[chosen])


def obstacles_in(frame: Frame, sensor_height: float = SENSOR_HEIGHT) -> Obstacles:
    """The obstacles of a frame in the camera's view; without an image, those in front of it."""
    points = np.asarray(frame.points[:, :3], dtype=np.float64)
    projected = _projected(points, frame.frames)
    ground = ground_mask(frame.points, sensor_height)
    seen = _in_view(projected, frame.size)
    heights = _ground_below(points[seen & ~ground], points[ground & seen], sensor_height)
    above = points[seen & ~ground, 2] - heights
    standing = (above > LOWEST) & (above < HIGHEST)
    return Obstacles(points[seen & ~ground], projected[seen & ~ground, :2], heights)[standing]


def _projected(points: F64, frames: CoordinateFrames) -> F64:
    """(N, 3) pixels u, v and depth, as `CoordinateFrames.lidar_to_image`, but much faster."""
    x, y, z = points.T
    rows = frames.projection @ frames.camera_from_lidar
    u, v, depth = (a * x + b * y + c * z + d for a, b, c, d in rows)
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.column_stack([u / depth, v / depth, depth])


def _in_view(projected: F64, size: tuple[int, int]) -> Bools:
    """(N,) which points are in the image, or in front of the camera if its size is (0, 0)."""
    ahead = projected[:, 2] > 0
    if size == (0, 0):
        return ahead
    height, width = size
    u, v = projected[:, 0], projected[:, 1]
    return np.asarray(ahead & (u >= 0) & (u < width) & (v >= 0) & (v < height))


def _ground_below(points: F64, ground: F64, sensor_height: float) -> F64:
    """(N,) z of the ground below each point: the median of the nearest patches of ground."""
    from scipy.spatial import KDTree

    patches = _patches(ground)
    if len(patches) < NEIGHBOURS:
        return np.full(len(points), -sensor_height)
    _, nearest = KDTree(patches[:, :2]).query(points[:, :2], k=NEIGHBOURS)
    return np.asarray(np.median(patches[nearest, 2], axis=1))


def _patches(ground: F64) -> F64:
    """(M, 3) the mean of the ground returns in each occupied square of half a metre."""
    squares = np.floor(ground[:, :2] / PATCH).astype(np.int64)
    _, member, count = np.unique(
        squares[:, 0] * 65_536 + squares[:, 1], return_inverse=True, return_counts=True
    )
    sums = [np.bincount(member, ground[:, axis], len(count)) for axis in range(3)]
    return np.asarray(np.column_stack(sums) / count[:, None])
