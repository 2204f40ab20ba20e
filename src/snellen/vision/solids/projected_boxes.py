"""Projection of 3D boxes into the image: the extent of their visible part."""

from __future__ import annotations

from itertools import combinations

import numpy as np

from snellen.vision.arrays import F64, Bools, Boxes, Boxes3D
from snellen.vision.solids.boxes3d import corners
from snellen.vision.solids.coordinate_frames import CoordinateFrames, LidarPoints

NEAR = 0.1
"""Metres of depth below which nothing is visible."""


_EDGES = np.array([(i, i + 4) for i in range(4)] + [
    (base + i, base + (i + 1) % 4) for base in (0, 4) for i in range(4)
])  # fmt: skip
_PAIRS = np.array(list(combinations(range(8 + len(_EDGES)), 2)))


def image_boxes(boxes: Boxes3D, frames: CoordinateFrames, size: tuple[int, int]) -> Boxes:
    """(N, 4) x1 y1 x2 y2 in pixels: the extent of the part of each 3D box inside the image.

    boxes: (N, 7) in the LiDAR frame. size: height and width of the image. Boxes are clipped at a
    depth of 0.1 m, then at the borders of the image; a row of zeros if nothing is left. Occlusion
    is ignored.

    >>> ahead = [[0, -1, 0, 0], [0, 0, -1, 0], [1, 0, 0, 0], [0, 0, 0, 1]]
    >>> lens = [[700, 0, 600, 0], [0, 700, 180, 0], [0, 0, 1, 0]]
    >>> image_boxes([[10, 0, 0, 6, 2, 1, 0]], CoordinateFrames(ahead, lens), (370, 1240)).tolist()
    [[500.0, 130.0, 700.0, 230.0]]
    """
    rows = np.asarray(boxes, dtype=np.float64).reshape(-1, 7)
    pixels, valid = _outline_points(rows, frames)
    height, width = size
    corner = np.array([width, height], dtype=np.float64)
    inside = valid & (pixels >= 0).all(2) & (pixels <= corner).all(2)
    low = np.where(inside[..., None], pixels, np.inf).min(axis=1, initial=np.inf)
    high = np.where(inside[..., None], pixels, -np.inf).max(axis=1, initial=-np.inf)
    partly = (inside != valid).any(axis=1)
    if partly.any():
        low[partly], high[partly] = _extended(
            low[partly], high[partly], pixels[partly], valid[partly], corner
        )
    visible = (low < high).all(axis=1)
    found = np.column_stack([low, high])
    return np.where(visible[:, None], found, 0).astype(np.float32)


def _outline_points(boxes: Boxes3D, frames: CoordinateFrames) -> tuple[F64, Bools]:
    """(N, 20, 2) pixels whose convex hull is the outline of the box, and (N, 20) which are valid.

    These are the 8 corners in front of the near plane, and the crossings of the 12 edges with it.
    """
    points = corners(boxes).reshape(-1, 3)
    camera = np.asarray(frames.lidar_to_camera(LidarPoints(points)))
    scaled = camera @ frames.projection[:, :3].T + frames.projection[:, 3]
    scaled = scaled.reshape(-1, 8, 3)
    start, end = scaled[:, _EDGES[:, 0]], scaled[:, _EDGES[:, 1]]
    crosses = (start[..., 2] >= NEAR) != (end[..., 2] >= NEAR)
    rise = np.where(crosses, end[..., 2] - start[..., 2], 1.0)
    share = (NEAR - start[..., 2]) / rise
    cuts = start + share[..., None] * (end - start)
    cuts[..., 2] = NEAR
    together = np.concatenate([scaled, cuts], axis=1)
    valid = np.concatenate([scaled[..., 2] >= NEAR, crosses], axis=1)
    depth = np.where(valid, together[..., 2], 1.0)
    return together[..., :2] / depth[..., None], valid


def _extended(low: F64, high: F64, pixels: F64, valid: Bools, corner: F64) -> tuple[F64, F64]:
    """The extents, extended to where the outlines cross the four borders of the image."""
    for axis in (0, 1):
        for line in (0.0, corner[axis]):
            first, last = _crossing(pixels, valid, axis, line)
            meets = (first <= last) & (first <= corner[1 - axis]) & (last >= 0)
            ends = np.clip([first, last], 0, corner[1 - axis])
            for end in ends:
                point = np.empty_like(low)
                point[:, axis], point[:, 1 - axis] = line, end
                low = np.where(meets[:, None], np.minimum(low, point), low)
                high = np.where(meets[:, None], np.maximum(high, point), high)
    return low, high


def _crossing(pixels: F64, valid: Bools, axis: int, line: float) -> tuple[F64, F64]:
    """Where the outlines begin and end on a line (axis 0: u = line): (N,) each; inf, -inf if none.

    The outline is a convex hull, so the crossing lies between the outermost connections of points.
    """
    start, end = pixels[:, _PAIRS[:, 0]], pixels[:, _PAIRS[:, 1]]
    here, there = start[..., axis] - line, end[..., axis] - line
    crosses = valid[:, _PAIRS[:, 0]] & valid[:, _PAIRS[:, 1]] & ((here < 0) != (there < 0))
    share = here / np.where(crosses, here - there, 1.0)
    other = start[..., 1 - axis] + share * (end[..., 1 - axis] - start[..., 1 - axis])
    first = np.where(crosses, other, np.inf).min(axis=1, initial=np.inf)
    last = np.where(crosses, other, -np.inf).max(axis=1, initial=-np.inf)
    return first, last
