"""How far every pixel of a picture is, from the LiDAR points that fall on it and around it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from snellen.vision.arrays import F32, Bools, Image
from snellen.vision.compilation import read_only
from snellen.vision.lidar.points_in_view import PointsInView

SIDEWAYS, UPRIGHT, TINT = 1.2, 3.0, 14.0
"""How far apart in columns, rows and colour two pixels of one surface are, in the manner of a
standard deviation. The beams of a 64-ring LiDAR lie 4 to 6 rows apart in KITTI's pictures."""
REACH_ROWS, REACH_COLUMNS = 6, 2
SLIT = 9, 7
HIDDEN_GAP, HIDDEN_SHARE = 0.6, 0.08
GROWTH_STEP, GROWTH_DRIFT = 34, 90


@dataclass(frozen=True, eq=False)
class DenseDepth:
    """What is known of every pixel's depth.

    depth: (H, W) float32 metres as `Frames` gives the depth, inf where no point is near: sky, or
    nothing came back. ground: (H, W) bool, the pixel shows the ground. standing: (H, W) float32,
    the depth where the pixel shows a thing that stands on the ground, inf elsewhere.
    """

    depth: F32
    ground: Bools
    standing: F32


def dense_depth(image: Image, seen: PointsInView) -> DenseDepth:
    """The depth of every pixel of the image (H, W, 3) from the points that fall on it.

    A pixel takes the depth of the nearby point that is nearest in place and colour, so that depth
    changes where the picture does; above the highest beam, things grow up along their colour.
    """
    import cv2

    from snellen.vision.lidar.dense_depth_kernels import (
        far_from_standing,
        grow_upwards,
        nearest_depths,
        pixel_depths,
        seen_points,
        settled,
        spread,
    )

    u, v, depth, stands = seen.u, seen.v, seen.depth, seen.standing
    reach, shape = np.array([REACH_ROWS, REACH_COLUMNS]), image.shape[:2]
    nearest = nearest_depths(u, v, depth, *shape)
    asked = stands | _every_other(len(u))
    clear = seen_points(u, v, depth, asked, nearest, reach, HIDDEN_GAP, HIDDEN_SHARE)
    guide = read_only(image)
    plain = far_from_standing(u, v, stands & clear, reach, shape)
    wide = cv2.copyMakeBorder(guide, 0, 0, REACH_COLUMNS, REACH_COLUMNS, cv2.BORDER_REPLICATE)
    scale = np.array([UPRIGHT, SIDEWAYS, TINT])
    winner = spread(u, v, clear, plain, wide, REACH_ROWS, scale)
    grow_upwards(winner, stands & seen.cut, guide, GROWTH_STEP, GROWTH_DRIFT)
    every, standing = pixel_depths(winner, depth, stands)
    standing = settled(standing)
    return DenseDepth(every, _ground(every, standing), standing)


def _ground(every: F32, standing: F32) -> Bools:
    """(H, W) pixels of the ground, slits between its points closed."""
    import cv2

    nothing_stands = np.isinf(standing)
    known = (np.isfinite(every) & nothing_stands).view(np.uint8)
    closed = cv2.morphologyEx(known, cv2.MORPH_CLOSE, np.ones(SLIT, np.uint8))
    return np.asarray(closed.view(np.bool_) & nothing_stands)


def _every_other(count: int) -> Bools:
    """(count,) half of the points: the ground is level, and needs no more."""
    return np.asarray(np.arange(count) % 2 == 0)
