"""Dense depth: the depth of every pixel of an image, from the LiDAR points around it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from snellen.vision.arrays import F32, Bools, Image
from snellen.vision.compilation import read_only
from snellen.vision.lidar.points_in_view import PointsInView

SIDEWAYS, UPRIGHT, TINT = 1.2, 3.0, 14.0
"""The scale of the distance in columns, rows and colour of two pixels of one surface, like a
standard deviation. The beams of a 64-ring LiDAR are 4 to 6 rows apart in KITTI's images."""
REACH_ROWS, REACH_COLUMNS = 6, 2
SLIT = 9, 7
HIDDEN_GAP, HIDDEN_SHARE = 0.6, 0.08
GROWTH_STEP, GROWTH_DRIFT = 34, 90


@dataclass(frozen=True, eq=False)
class DenseDepth:
    """The depth of every pixel.

    depth: (H, W) float32 metres as in `CoordinateFrames`, inf if no point is near: sky, or no
    return. ground: (H, W) bool, the pixel shows the ground. standing: (H, W) float32, the depth if
    the pixel shows an object standing on the ground, inf elsewhere.
    """

    depth: F32
    ground: Bools
    standing: F32


def dense_depth(image: Image, view: PointsInView) -> DenseDepth:
    """The depth of every pixel of the image (H, W, 3) from the LiDAR points in view.

    A pixel takes the depth of the point nearby that is nearest in position and colour, so that
    depth edges follow image edges; above the highest beam, objects are extended upwards by colour.
    """
    import cv2

    from snellen.vision.lidar.dense_depth_kernels import (
        far_from_standing,
        grow_upwards,
        median_filtered,
        nearest_depths,
        pixel_depths,
        surface_points,
        visible_points,
    )

    u, v, depth, stands = view.u, view.v, view.depth, view.standing
    reach, shape = np.array([REACH_ROWS, REACH_COLUMNS]), image.shape[:2]
    nearest = nearest_depths(u, v, depth, *shape)
    candidates = stands | _every_other(len(u))
    clear = visible_points(u, v, depth, candidates, nearest, reach, HIDDEN_GAP, HIDDEN_SHARE)
    guide = read_only(image)
    plain = far_from_standing(u, v, stands & clear, reach, shape)
    wide = cv2.copyMakeBorder(guide, 0, 0, REACH_COLUMNS, REACH_COLUMNS, cv2.BORDER_REPLICATE)
    scale = np.array([UPRIGHT, SIDEWAYS, TINT])
    winner = surface_points(u, v, clear, plain, wide, REACH_ROWS, scale)
    grow_upwards(winner, stands & view.cut, guide, GROWTH_STEP, GROWTH_DRIFT)
    every, standing = pixel_depths(winner, depth, stands)
    standing = median_filtered(standing)
    return DenseDepth(every, _ground(every, standing), standing)


def _ground(every: F32, standing: F32) -> Bools:
    """(H, W) pixels of the ground, with gaps between its points closed."""
    import cv2

    nothing_stands = np.isinf(standing)
    known = (np.isfinite(every) & nothing_stands).view(np.uint8)
    closed = cv2.morphologyEx(known, cv2.MORPH_CLOSE, np.ones(SLIT, np.uint8))
    return np.asarray(closed.view(np.bool_) & nothing_stands)


def _every_other(count: int) -> Bools:
    """(count,) every second point: enough for the ground, which is smooth."""
    return np.asarray(np.arange(count) % 2 == 0)
