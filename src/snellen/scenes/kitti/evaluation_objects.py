"""KITTI's label rows as inputs of KITTI's evaluation."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from snellen.scenes.kitti.label_file import LabelRow
from snellen.scenes.kitti.lidar_boxes import lidar_boxes
from snellen.vision.kitti.ground_truth import KittiObjects
from snellen.vision.solids.coordinate_frames import CoordinateFrames


def evaluated_objects(rows: Sequence[LabelRow], frames: CoordinateFrames) -> KittiObjects:
    """The rows of one frame in order; the 3D box of a row without one is all zeros."""
    boxes = np.zeros((len(rows), 7))
    solid = [row.solid for row in rows]
    boxes[solid] = lidar_boxes([row for row in rows if row.solid], frames)
    return KittiObjects(
        tuple(row.type for row in rows),
        boxes,
        np.array([row.box for row in rows], dtype=np.float32),
        np.array([row.occluded for row in rows]),
        np.array([row.truncated for row in rows]),
    )
