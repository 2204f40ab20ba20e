"""Where in the image a labelled object may be visible."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from snellen.scenes.kitti.label_file import LabelRow
from snellen.vision.arrays import F64, Bools, Floating, Ints
from snellen.vision.solids.boxes3d import corners
from snellen.vision.solids.coordinate_frames import CoordinateFrames, ImagePoints, LidarPoints

NEAR = 0.1
"""Smallest depth in metres at which a corner can be projected."""


@dataclass(frozen=True, eq=False)
class Region:
    """The pixels of one labelled object, from its label and its returns.

    rows, columns: window of the image. shape: (h, w) pixels of its 2D box, inside the outline of
    its 3D box if it has one. returns: (P, 2) row and column of the pixels hit by its own returns,
    without duplicates. far: depth of its far end in metres.
    """

    rows: slice
    columns: slice
    shape: Bools
    returns: Ints
    far: float


def region_of(
    row: LabelRow,
    box: F64 | None,
    returns: Floating,
    frames: CoordinateFrames,
    size: tuple[int, int],
) -> Region:
    """The pixels of a label. box: (7,) its 3D box; returns: (N, 3); both in the LiDAR frame.

    size: height and width of the image in pixels.
    """
    rows, columns = _window(row, size)
    shape = np.ones((rows.stop - rows.start, columns.stop - columns.start), dtype=np.bool_)
    far = np.inf
    if box is not None:
        outline = frames.lidar_to_image(LidarPoints(corners(box[None])[0]))
        far = float(outline[:, 2].max())
        if outline[:, 2].min() > NEAR and shape.size:
            shape = _within(outline[:, :2], rows, columns)
    return Region(rows, columns, shape, pixels_of(returns, frames, size), far)


def pixels_of(places: Floating, frames: CoordinateFrames, size: tuple[int, int]) -> Ints:
    """(P, 2) row and column of the pixels hit by points (N, 3) in metres, without duplicates."""
    projected = frames.lidar_to_image(LidarPoints(places.astype(np.float64)))
    columns, rows = np.rint(in_view(projected, size)[:, :2]).astype(np.int64).T
    width = max(size[1], 1)
    return np.stack(np.divmod(np.unique(rows * width + columns), width), axis=1)


def in_view(places: ImagePoints, size: tuple[int, int]) -> ImagePoints:
    """The points (N, 3), u, v and depth, that are in front of the camera and in the image.

    Pixel centres have integer coordinates.
    """
    u, v, depth = places.T
    height, width = size
    inside = (u >= -0.5) & (u < width - 0.5) & (v >= -0.5) & (v < height - 0.5)
    return ImagePoints(places[(depth > 0) & inside])


def _window(row: LabelRow, size: tuple[int, int]) -> tuple[slice, slice]:
    height, width = size
    left, top, right, bottom = row.box
    x1, x2 = np.clip(np.rint([left, right + 1]), 0, width).astype(int).tolist()
    y1, y2 = np.clip(np.rint([top, bottom + 1]), 0, height).astype(int).tolist()
    return slice(y1, max(y1, y2)), slice(x1, max(x1, x2))


def _within(outline: F64, rows: slice, columns: slice) -> Bools:
    """(h, w) pixels of the window in the convex hull of the outline, (8, 2) u and v."""
    import cv2

    hull = cv2.convexHull(outline.astype(np.float32))[:, 0] - [columns.start, rows.start]
    drawn = np.zeros((rows.stop - rows.start, columns.stop - columns.start), dtype=np.uint8)
    cv2.fillConvexPoly(drawn, np.rint(hull).astype(np.int32), 1)
    return np.asarray(drawn > 0)
