"""Compiled membership of points in 3D boxes."""

from __future__ import annotations

import math

import numpy as np

from snellen.vision.arrays import F32, F64, Bools
from snellen.vision.compilation import compiled


@compiled
def points_in_boxes(points: F32, boxes: F64) -> Bools:
    """(B, N) which points (N, 3 or more) are in each box (B, 7), like `boxes3d.points_inside`.

    Most points are far from all boxes and are rejected by their first coordinate.
    """
    inside = np.zeros((len(boxes), len(points)), dtype=np.bool_)
    for b in range(len(boxes)):
        x, y, z, length, width, height, yaw = boxes[b]
        cos, sin, reach = math.cos(yaw), math.sin(yaw), math.hypot(length, width) / 2
        for i in range(len(points)):
            dx = np.float64(points[i, 0]) - x
            if abs(dx) > reach:
                continue
            dy, dz = np.float64(points[i, 1]) - y, np.float64(points[i, 2]) - z
            if abs(dy) <= reach and abs(dz) <= height / 2:
                along, across = dx * cos + dy * sin, dy * cos - dx * sin
                inside[b, i] = abs(along) <= length / 2 and abs(across) <= width / 2
    return inside
