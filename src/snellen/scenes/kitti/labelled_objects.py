"""The labelled objects of a frame, with the number of LiDAR returns of each."""

from __future__ import annotations

import numpy as np

from snellen.scenes.frame import LabelledObject
from snellen.scenes.kitti.lidar_boxes import lidar_boxes
from snellen.scenes.sweep import Sweep
from snellen.vision.arrays import Points
from snellen.vision.solids.boxes3d import points_inside


def labelled_objects(sweep: Sweep, points: Points) -> tuple[LabelledObject, ...] | None:
    """Each label with its number of returns (0 without a 3D box); None without labels.

    points: (N, 4) of the sweep, passed in so that the file is read only once.
    """
    rows = sweep.labels()
    if rows is None:
        return None
    solid = [row for row in rows if row.solid]
    inside = points_inside(points[:, :3], lidar_boxes(solid, sweep.calibration().frames()))
    counts = iter(np.count_nonzero(inside, axis=1).tolist())
    return tuple(LabelledObject(row, next(counts) if row.solid else 0) for row in rows)
