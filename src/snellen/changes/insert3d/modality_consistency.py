"""Agreement of the two sensors about an inserted mesh."""

from __future__ import annotations

import numpy as np

from snellen.changes.insert3d.label_regions import in_view
from snellen.vision.arrays import Floating
from snellen.vision.solids.coordinate_frames import CoordinateFrames, LidarPoints

Box = tuple[float, float, float, float]


def returns_box(returns: Floating, frames: CoordinateFrames, size: tuple[int, int]) -> Box | None:
    """The box x1 y1 x2 y2 in pixels around the returns (A, 3) inside the image, or None.

    size: height and width of the image.
    """
    places = frames.lidar_to_image(LidarPoints(returns[:, :3].astype(np.float64)))
    seen = np.rint(in_view(places, size)[:, :2])
    if not len(seen):
        return None
    (x1, y1), (x2, y2) = seen.min(axis=0).tolist(), (seen.max(axis=0) + 1).tolist()
    return x1, y1, x2, y2


def modality_consistency(image_box: Box | None, lidar_box: Box | None) -> float:
    """IoU of the box of a mesh in the image and the box around its projected returns.

    The published measure (MC). It does not reach 1: glass and roofs return little, so that real
    cars have 0.66 to 0.91. 1 if neither sensor shows the mesh, 0 if only one does.

    >>> modality_consistency((0, 0, 10, 10), (0, 5, 10, 10))
    0.5
    """
    if image_box is None or lidar_box is None:
        return float(image_box is lidar_box)
    width = min(image_box[2], lidar_box[2]) - max(image_box[0], lidar_box[0])
    height = min(image_box[3], lidar_box[3]) - max(image_box[1], lidar_box[1])
    both = max(width, 0.0) * max(height, 0.0)
    return float(both / (_area(image_box) + _area(lidar_box) - both))


def _area(box: Box) -> float:
    return (box[2] - box[0]) * (box[3] - box[1])
