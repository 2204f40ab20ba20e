"""The points and boxes of a LiDAR detector that are in the camera's view."""

from __future__ import annotations

import numpy as np

from snellen.vision.arrays import F32, F64, Boxes3D, Points
from snellen.vision.solids.boxes3d import corners
from snellen.vision.solids.coordinate_frames import CameraPoints, CoordinateFrames, LidarPoints
from snellen.vision.solids.projected_boxes import NEAR


def points_in_view(
    points: Points, frames: CoordinateFrames, size: tuple[int, int]
) -> tuple[CameraPoints, F32]:
    """(N, 3) the points in the image, in the camera frame, and (N,) their intensities.

    size: height and width of the image. Point-GNN is trained only on such points.
    """
    camera = frames.lidar_to_camera(LidarPoints(points[:, :3].astype(np.float64)))
    image = frames.camera_to_image(camera)
    height, width = size
    inside = (image[:, :2] > 0).all(axis=1) & (image[:, :2] < [width, height]).all(axis=1)
    seen = inside & (camera[:, 2] > NEAR)
    return CameraPoints(camera[seen]), points[seen, 3]


def shares_outside(boxes: Boxes3D, frames: CoordinateFrames, size: tuple[int, int]) -> F64:
    """(N,) the share of each box's extent in the image plane that is outside the image.

    boxes: (N, 7) in the LiDAR frame. Corners behind the camera are moved just in front of it.
    """
    points = np.array(frames.lidar_to_camera(LidarPoints(corners(boxes).reshape(-1, 3))))
    points[:, 2] = np.maximum(points[:, 2], NEAR)
    pixels = frames.camera_to_image(CameraPoints(points))[:, :2].reshape(-1, 8, 2)
    low, high = pixels.min(axis=1), pixels.max(axis=1)
    edge = np.array(size[::-1], dtype=np.float64)
    inside = (np.clip(high, 0, edge) - np.clip(low, 0, edge)).prod(axis=1)
    return np.asarray(1 - inside / (high - low).prod(axis=1))
