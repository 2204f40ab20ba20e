"""How far every pixel of a picture is, from the LiDAR points that fall on it and around it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from snellen.vision.dense_depth_sights import Sights

Image = npt.NDArray[np.uint8]

SIDEWAYS, UPRIGHT, TINT = 1.5, 3.0, 14.0
"""How far apart in columns, rows and colour two pixels of one surface are, in the manner of a
standard deviation. The beams of a 64-ring LiDAR lie 4 to 6 rows apart in KITTI's pictures."""
REACH_ROWS, REACH_COLUMNS = 7, 3
HIDDEN_GAP, HIDDEN_SHARE = 0.6, 0.08
GROWTH_STEP, GROWTH_DRIFT = 34.0, 90.0


@dataclass(frozen=True, eq=False)
class DenseDepth:
    """What is known of every pixel's depth.

    depth: (H, W) float32 metres as `Frames` gives the depth, inf where no point is near: sky, or
    nothing came back. ground: (H, W) bool, the pixel shows the ground. standing: (H, W) float32,
    the depth where the pixel shows a thing that stands on the ground, inf elsewhere.
    """

    depth: npt.NDArray[np.float32]
    ground: npt.NDArray[np.bool_]
    standing: npt.NDArray[np.float32]


def dense_depth(image: Image, seen: Sights) -> DenseDepth:
    """The depth of every pixel of the image (H, W, 3) from the points that fall on it.

    A pixel takes the depth of the nearby point that is nearest in place and colour, so that depth
    changes where the picture does; above the highest beam, things grow up along their colour.
    """
    from snellen.vision.dense_depth_kernels import (
        grow_upwards,
        nearest_depths,
        seen_points,
        spread,
    )

    u, v, depth = seen.u, seen.v, seen.depth
    reach = np.array([REACH_ROWS, REACH_COLUMNS])
    nearest = nearest_depths(u, v, depth, *image.shape[:2])
    clear = seen_points(u, v, depth, nearest, reach, HIDDEN_GAP, HIDDEN_SHARE)
    guide = np.ascontiguousarray(image)
    winner = spread(u[clear], v[clear], guide, reach, np.array([UPRIGHT, SIDEWAYS, TINT]))
    tall = (seen.standing & seen.cut)[clear]
    grow_upwards(winner, tall, guide, GROWTH_STEP, GROWTH_DRIFT)
    return _named(winner, depth[clear], seen.standing[clear])


def _named(
    winner: npt.NDArray[np.int32],
    depth: npt.NDArray[np.float32],
    stands: npt.NDArray[np.bool_],
) -> DenseDepth:
    import cv2

    far = np.append(depth, np.float32(np.inf))
    apart = np.append(np.where(stands, depth, np.float32(np.inf)), np.float32(np.inf))
    ground = np.append(~stands, False)[winner]
    standing = np.asarray(cv2.medianBlur(apart[winner], 3), dtype=np.float32)
    return DenseDepth(far[winner], ground & np.isinf(standing), standing)
