"""Occlusion of inserted meshes in an image, by each other and by real objects."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from snellen.vision.arrays import F32, F64, Bools, Bytes, Ints32
from snellen.vision.lidar.dense_depth import DenseDepth
from snellen.vision.rendering.zbuffer import Fragments, silhouette
from snellen.vision.solids.coordinate_frames import CoordinateFrames, LidarPoints

AHEAD = 0.25, 0.015
"""How much nearer a real object must be to occlude a mesh: in metres, and as share of the depth."""
CLOSED, PANE = 0.12, 0.6
"""Parts of a real object that occlude without LiDAR returns, such as glass: gaps up to twice the
first in width, in metres, and holes up to the second, in square metres."""
SPECK = 5
SOFT = 0.6
MOST = 2.0
COARSE, NEARBY = 0.25, 1.0


def unoccluded_samples(seen: Fragments, others: Sequence[Fragments]) -> Bools:
    """(S,) which covered samples of a mesh no other mesh occludes."""
    kept = np.ones(len(seen.rows), dtype=bool)
    depth = seen.depth[seen.rows, seen.columns]
    n = seen.samples
    for other in others:
        rows = seen.rows + (seen.top - other.top) * n
        columns = seen.columns + (seen.left - other.left) * n
        height, width = other.depth.shape
        there = (rows >= 0) & (rows < height) & (columns >= 0) & (columns < width)
        kept[there] &= ~(other.depth[rows[there], columns[there]] < depth[there])
    return kept


def occluded_share(depth: F64, left: int, top: int, real: DenseDepth, focal_length: float) -> F32:
    """(h, w) the share of each pixel in which a real object is in front of the mesh.

    depth: (h, w) of the mesh in the window at left, top, inf where it is not. focal_length: in
    pixels.
    """
    import cv2

    height, width = depth.shape
    if not depth.size:
        return np.zeros(depth.shape, dtype=np.float32)
    standing = real.standing[top : top + height, left : left + width]
    around = cv2.erode(depth.astype(np.float32), np.ones((5, 5), np.uint8))
    nearer = standing < around * (1 - AHEAD[1]) - AHEAD[0]
    nearer &= np.isfinite(around)
    if not nearer.any():
        return np.zeros(depth.shape, dtype=np.float32)
    mask = cv2.medianBlur(nearer.astype(np.uint8), SPECK)
    if not mask.any():
        return np.zeros(depth.shape, dtype=np.float32)
    metre = focal_length / float(np.median(standing[mask > 0]))
    closed = _close_gaps(mask, int(np.clip(CLOSED * metre, 1, 15)))
    whole = _fill_holes(closed, PANE * metre**2)
    return np.asarray(cv2.GaussianBlur(whole.astype(np.float32), (0, 0), SOFT), dtype=np.float32)


def _close_gaps(mask: Bytes, radius: int) -> Bytes:
    """The mask with gaps closed that are up to twice the radius wide, in pixels."""
    import cv2

    disc = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (2 * radius + 1, 2 * radius + 1))
    padded = cv2.copyMakeBorder(mask, radius, radius, radius, radius, cv2.BORDER_REPLICATE)
    closed = cv2.morphologyEx(padded, cv2.MORPH_CLOSE, disc)
    return np.asarray(closed[radius:-radius, radius:-radius], dtype=np.uint8)


def _fill_holes(mask: Bytes, largest: float) -> Bytes:
    """The mask with enclosed holes filled, up to `largest` pixels in area."""
    import cv2

    count, parts, boxes, _ = cv2.connectedComponentsWithStats(1 - mask, connectivity=4)
    left, top, width, height, area = boxes.T
    inside = (left > 0) & (top > 0)
    inside &= (left + width < mask.shape[1]) & (top + height < mask.shape[0])
    holes = inside & (area <= largest) & (np.arange(count) > 0)
    return np.asarray(mask | holes[parts], dtype=np.uint8)


def full_area(
    vertices: F64,
    faces: Ints32,
    frames: CoordinateFrames,
    shape: tuple[int, int],
) -> float:
    """Area of a mesh in pixels, including parts up to two image sizes outside the image.

    vertices: (V, 3) in the LiDAR frame.
    """
    height, width = shape
    aside, above = int(MOST * width), int(MOST * height)
    move = np.array([[1.0, 0, aside], [0, 1, above], [0, 0, 1]])
    points = frames.lidar_to_camera(LidarPoints(vertices))
    # A mesh that reaches behind the camera fills much of the larger image: low resolution suffices.
    scale = COARSE if points[:, 2].min(initial=np.inf) < NEARBY else 1.0
    larger = int((height + 2 * above) * scale), int((width + 2 * aside) * scale)
    matrix = np.diag([scale, scale, 1.0]) @ move @ frames.projection
    _, _, share = silhouette(points, faces, matrix, larger, samples=1)
    return float(share.sum()) / scale**2
