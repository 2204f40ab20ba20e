"""The LiDAR points in the view of a camera."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from snellen.vision.arrays import F32, Bools, Floating
from snellen.vision.compilation import read_only
from snellen.vision.lidar.ground_surface import CELL, GroundSurface
from snellen.vision.solids.coordinate_frames import CoordinateFrames

STANDING = 0.2
"""Metres above the ground from which on a point belongs to a standing object."""
UPPERMOST = np.radians(0.7)


@dataclass(frozen=True, eq=False)
class PointsInView:
    """K points in the image.

    u, v, depth: (K,) pixels and metres. places: (K, 3) in the LiDAR frame. ground: (K,) on the
    ground; standing: (K,) on an object that stands on it; cut: (K,) of the highest beams, so that
    the object may extend above them.
    """

    u: F32
    v: F32
    depth: F32
    places: F32
    ground: Bools
    standing: Bools
    cut: Bools


def points_in_view(
    points: Floating,
    ground: Bools,
    surface: GroundSurface,
    frames: CoordinateFrames,
    shape: tuple[int, int],
) -> PointsInView:
    """The points (N, 3 or more) that project into an image of this height and width.

    ground: (N,) whether each lies on the ground; surface: the height of the ground.
    """
    from snellen.vision.lidar.points_in_view_kernels import in_view

    cloud = read_only(np.asarray(points, dtype=np.float32))
    matrix = np.ascontiguousarray(frames.projection @ frames.camera_from_lidar)
    seen, places, (on, standing) = in_view(
        cloud, ground, surface.heights, CELL, matrix, shape, STANDING
    )
    u, v, depth, rise = seen
    highest = np.partition(rise, -len(rise) // 100)[-len(rise) // 100] if len(rise) else 0.0
    return PointsInView(u, v, depth, places, on, standing, rise > highest - UPPERMOST)
