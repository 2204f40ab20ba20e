"""IoU of 3D boxes by polygons, independent of the product's own."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from shapely.geometry import Polygon


def iou3d(one: Sequence[float], other: Sequence[float]) -> float:
    """IoU of two boxes x y z length width height yaw."""
    flat = _footprint(one).intersection(_footprint(other)).area
    top = min(one[2] + one[5] / 2, other[2] + other[5] / 2)
    bottom = max(one[2] - one[5] / 2, other[2] - other[5] / 2)
    common = flat * max(top - bottom, 0.0)
    return float(common / (_volume(one) + _volume(other) - common))


def _footprint(box: Sequence[float]) -> Polygon:
    ahead = np.array([np.cos(box[6]), np.sin(box[6])]) * box[3] / 2
    left = np.array([-np.sin(box[6]), np.cos(box[6])]) * box[4] / 2
    middle = np.array([box[0], box[1]])
    signs = [(1, 1), (-1, 1), (-1, -1), (1, -1)]
    return Polygon([middle + a * ahead + b * left for a, b in signs])


def _volume(box: Sequence[float]) -> float:
    return float(box[3] * box[4] * box[5])
