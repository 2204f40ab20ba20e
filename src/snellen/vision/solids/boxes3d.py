"""3D boxes in the LiDAR frame, and conversion to KITTI's rectified camera frame.

A box is a row x y z length width height yaw: geometric centre and sides in metres in the LiDAR
frame (x forward, y left, z up), yaw in radians counter-clockwise from +x, seen from above. It
stands upright on the LiDAR's horizontal plane.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from snellen.vision.arrays import F64, AnyArray, Bools
from snellen.vision.arrays import Boxes3D as Boxes3D
from snellen.vision.solids.coordinate_frames import CameraPoints, CoordinateFrames, LidarPoints


@dataclass(frozen=True, eq=False)
class CameraBoxes:
    """N boxes in the format of KITTI's labels.

    locations: (N, 3) centre of the bottom face, metres, rectified camera frame. dimensions: (N, 3)
    height, width, length in metres. rotations: (N,) radians about the camera's y axis (down), 0
    if the front points along the camera's x axis (right).
    """

    locations: F64
    dimensions: F64
    rotations: F64


def boxes_from_camera(boxes: CameraBoxes, frames: CoordinateFrames) -> Boxes3D:
    """(N, 7) boxes in the LiDAR frame.

    Only the rotation about the vertical is kept; the slight tilt between the verticals of the two
    frames (about a degree in KITTI) is dropped.
    """
    dimensions = np.asarray(boxes.dimensions, dtype=np.float64).reshape(-1, 3)
    middles = np.array(boxes.locations, dtype=np.float64).reshape(-1, 3)
    middles[:, 1] -= dimensions[:, 0] / 2
    centres = frames.camera_to_lidar(CameraPoints(middles))
    yaws = wrapped(_heading(frames) - np.asarray(boxes.rotations, dtype=np.float64).reshape(-1))
    return np.column_stack([centres, dimensions[:, ::-1], yaws])


def boxes_to_camera(boxes: Boxes3D, frames: CoordinateFrames) -> CameraBoxes:
    """The boxes in the format of KITTI's labels; the inverse of `boxes_from_camera`."""
    rows = np.asarray(boxes, dtype=np.float64).reshape(-1, 7)
    locations = np.array(frames.lidar_to_camera(LidarPoints(rows[:, :3])))
    locations[:, 1] += rows[:, 5] / 2
    return CameraBoxes(locations, rows[:, 5:2:-1], wrapped(_heading(frames) - rows[:, 6]))


def corners(boxes: Boxes3D) -> F64:
    """(N, 8, 3) corners in the LiDAR frame: the bottom four counter-clockwise from front left,
    then the top four in the same order.

    >>> corners([[0, 0, 0, 4, 2, 1, 0]])[0, 0].tolist()
    [2.0, 1.0, -0.5]
    """
    rows = np.asarray(boxes, dtype=np.float64).reshape(-1, 7)
    signs = np.array([[1, 1], [-1, 1], [-1, -1], [1, -1]] * 2, dtype=np.float64) / 2
    flat = signs[None] * rows[:, None, 3:5]
    cos, sin = np.cos(rows[:, 6])[:, None], np.sin(rows[:, 6])[:, None]
    x = flat[..., 0] * cos - flat[..., 1] * sin
    y = flat[..., 0] * sin + flat[..., 1] * cos
    z = np.repeat([-0.5, 0.5], 4)[None] * rows[:, None, 5]
    return np.asarray(np.stack([x, y, z], axis=-1) + rows[:, None, :3])


def wrapped(angles: Any) -> F64:
    """Angles in [-pi, pi).

    >>> wrapped([0.5, np.pi]).round(3).tolist()
    [0.5, -3.142]
    """
    return np.asarray((np.asarray(angles, dtype=np.float64) + np.pi) % (2 * np.pi) - np.pi)


def _heading(frames: CoordinateFrames) -> float:
    """Yaw in the LiDAR frame of the camera's x axis, for which KITTI's rotation is 0."""
    right = frames.lidar_from_camera[:2, 0]
    return float(np.arctan2(right[1], right[0]))


def points_inside(points: AnyArray, boxes: Boxes3D) -> Bools:
    """(B, N) whether each of N points (N, 3), metres in the LiDAR frame, lies in each of B boxes.

    >>> points_inside(np.array([[0, 0, 0], [3, 0, 0]]), np.array([[0, 0, 0, 4, 2, 1, 0]])).tolist()
    [[True, False]]
    """
    rows = np.asarray(boxes, dtype=np.float64).reshape(-1, 7)
    inside = np.zeros((len(rows), len(points)), dtype=np.bool_)
    for within, (x, y, z, length, width, height, yaw) in zip(inside, rows, strict=True):
        reach = np.hypot(length, width) / 2
        near = np.flatnonzero(
            (np.abs(points[:, 0] - x) <= reach)
            & (np.abs(points[:, 1] - y) <= reach)
            & (np.abs(points[:, 2] - z) <= height / 2)
        )
        dx, dy = points[near, 0] - x, points[near, 1] - y
        cos, sin = np.cos(yaw), np.sin(yaw)
        along, across = dx * cos + dy * sin, dy * cos - dx * sin
        within[near] = (np.abs(along) <= length / 2) & (np.abs(across) <= width / 2)
    return inside
