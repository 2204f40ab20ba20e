"""Point-GNN's boxes: rows x y z length height width yaw in the rectified camera frame.

x y z: centre of the bottom face in metres. yaw: radians about the camera's y axis (down), 0 if the
length is along the camera's x axis (right), ambiguous by half a turn.
"""

from __future__ import annotations

import numpy as np

from snellen.vision.arrays import F64, Boxes3D, Ints
from snellen.vision.solids.boxes3d import CameraBoxes

CAR = np.array([3.88, 1.5, 1.63])
"""Length, height and width in metres of the median car of KITTI's labels, the unit of a code."""

ALONG, ACROSS = 1, 2
"""Classes of cars: yaw within an eighth of a turn from 0, or from a quarter turn."""

EIGHTH = np.pi / 4


def decode_boxes(codes: F64, places: F64, labels: Ints) -> F64:
    """(N, 7) boxes of codes (N, 7), of vertices at places (N, 3) for classes (N,).

    A code is the offset from the vertex in units of the median car, the logarithms of the sides in
    the same unit, and the yaw relative to that of the class in eighths of a turn.

    >>> decode_boxes(np.zeros((1, 7)), np.array([[2.0, 1.7, 9.0]]), np.array([ALONG])).tolist()
    [[2.0, 1.7, 9.0, 3.88, 1.5, 1.63, 0.0]]
    """
    centres = places + codes[:, :3] * CAR
    return np.column_stack(
        [centres, np.exp(codes[:, 3:6]) * CAR, codes[:, 6] * EIGHTH + class_yaw(labels)]
    )


def as_camera_boxes(boxes: F64) -> CameraBoxes:
    """The boxes as in KITTI's labels."""
    return CameraBoxes(boxes[:, :3], boxes[:, [4, 5, 3]], boxes[:, 6])


def upright(boxes: F64) -> Boxes3D:
    """(N, 7) the same boxes with the axes of a LiDAR: forward, left, up.

    Their overlap is that of the camera frame; unlike boxes in the LiDAR frame they are not tilted.
    """
    x, y, z, length, height, width, yaw = boxes.T
    return np.column_stack([z, -x, height / 2 - y, length, width, height, -yaw - np.pi / 2])


def box_coordinates(boxes: F64, places: F64) -> F64:
    """(B, N, 3) places along each box's length, height and width, -0.5 to 0.5 if inside."""
    way = places[None] - boxes[:, None, :3]
    cos, sin = np.cos(boxes[:, 6])[:, None], np.sin(boxes[:, 6])[:, None]
    length = way[..., 0] * cos - way[..., 2] * sin
    width = way[..., 0] * sin + way[..., 2] * cos
    height = way[..., 1] + boxes[:, None, 4] / 2
    return np.asarray(np.stack([length, height, width], axis=-1) / boxes[:, None, 3:6])


def class_yaw(labels: Ints) -> F64:
    """(N,) the yaw that each class stands for, in radians."""
    return np.where(labels == ACROSS, np.pi / 2, 0.0)
