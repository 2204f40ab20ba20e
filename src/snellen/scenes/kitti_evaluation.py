"""KITTI's label rows as its evaluation needs them."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from snellen.scenes.kitti_boxes import lidar_boxes
from snellen.scenes.kitti_labels import LabelRow
from snellen.vision.frames3d import Frames
from snellen.vision.kitti_objects import KittiObjects


def evaluated_objects(rows: Sequence[LabelRow], frames: Frames) -> KittiObjects:
    """The rows of one frame, in their order; those without a 3D box have a row of zeros for it."""
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
