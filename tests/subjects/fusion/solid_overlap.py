"""IoU of 3D boxes by polygons, independent of Snellen's."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

geometry: Any = pytest.importorskip("shapely.geometry")


def iou3d(one: Any, other: Any) -> float:
    """IoU of two boxes x y z length width height yaw."""
    flat = _footprint(one).intersection(_footprint(other)).area
    top = min(one[2] + one[5] / 2, other[2] + other[5] / 2)
    bottom = max(one[2] - one[5] / 2, other[2] - other[5] / 2)
    common = flat * max(top - bottom, 0.0)
    return float(common / (_volume(one) + _volume(other) - common))


def _footprint(box: Any) -> Any:
    ahead = np.array([np.cos(box[6]), np.sin(box[6])]) * box[3] / 2
    left = np.array([-np.sin(box[6]), np.cos(box[6])]) * box[4] / 2
    middle = np.array([box[0], box[1]])
    signs = [(1, 1), (-1, 1), (-1, -1), (1, -1)]
    return geometry.Polygon([middle + a * ahead + b * left for a, b in signs])


def _volume(box: Any) -> float:
    return float(box[3] * box[4] * box[5])
