"""The LiDAR points that fall on a picture, and what is known of each."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from snellen.vision.compilation import read_only
from snellen.vision.lidar.ground_surface import CELL, GroundSurface
from snellen.vision.solids.coordinate_frames import CoordinateFrames

Floats = npt.NDArray[np.float32]

STANDING = 0.2
"""Metres above the ground from which on a point is of something that stands on it."""
UPPERMOST = np.radians(0.7)


@dataclass(frozen=True, eq=False)
class PointsInView:
    """Points before the camera, K of them.

    u, v, depth: (K,) pixels and metres. places: (K, 3) in the LiDAR frame. ground: (K,) on the
    ground; standing: (K,) on something that stands on it; cut: (K,) by the highest beams, so that
    what they met may go on above them.
    """

    u: Floats
    v: Floats
    depth: Floats
    places: Floats
    ground: npt.NDArray[np.bool_]
    standing: npt.NDArray[np.bool_]
    cut: npt.NDArray[np.bool_]


def points_in_view(
    points: npt.NDArray[np.floating[Any]],
    ground: npt.NDArray[np.bool_],
    surface: GroundSurface,
    frames: CoordinateFrames,
    shape: tuple[int, int],
) -> PointsInView:
    """Those of the points (N, 3 or more) that fall on a picture of this height and width.

    ground: (N,) which of them lie on the ground; surface: its height anywhere.
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
