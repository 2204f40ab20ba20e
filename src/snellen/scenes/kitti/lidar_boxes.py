"""KITTI's label rows as 3D boxes in the LiDAR frame, and back."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from snellen.scenes.kitti.label_file import LabelRow
from snellen.vision.arrays import Boxes3D
from snellen.vision.solids.boxes3d import CameraBoxes, boxes_from_camera, boxes_to_camera, wrapped
from snellen.vision.solids.coordinate_frames import CoordinateFrames


def lidar_boxes(rows: Sequence[LabelRow], frames: CoordinateFrames) -> Boxes3D:
    """(N, 7) boxes x y z length width height yaw in the LiDAR frame; each row must have one."""
    for row in rows:
        if not row.solid:
            raise ValueError(f"row '{row.type}' has no 3D box: dimensions {row.dimensions}")
    boxes = CameraBoxes(
        np.array([row.location for row in rows]).reshape(-1, 3),
        np.array([row.dimensions for row in rows]).reshape(-1, 3),
        np.array([row.rotation_y for row in rows]),
    )
    return boxes_from_camera(boxes, frames)


def with_lidar_boxes(
    rows: Sequence[LabelRow], boxes: Boxes3D, frames: CoordinateFrames
) -> tuple[LabelRow, ...]:
    """The rows with their 3D boxes replaced: location, dimensions, rotation and alpha."""
    camera = boxes_to_camera(boxes, frames)
    angles = wrapped(camera.rotations - np.arctan2(camera.locations[:, 0], camera.locations[:, 2]))
    changed = zip(rows, camera.locations, camera.dimensions, camera.rotations, angles, strict=True)
    return tuple(
        replace(
            row,
            location=tuple(location.tolist()),
            dimensions=tuple(dimensions.tolist()),
            rotation_y=float(rotation),
            alpha=float(alpha),
        )
        for row, location, dimensions, rotation, alpha in changed
    )
