"""F64: the ground rectangles of upright 3D boxes, and their overlap.

A footprint is a row x y length width yaw: centre and sides in metres, yaw in radians
counter-clockwise from +x, in the LiDAR frame.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from snellen.vision.arrays import F64, Bools


def footprints_of(boxes: Any) -> F64:
    """(N, 5) footprints of boxes (N, 7)."""
    return np.ascontiguousarray(
        np.asarray(boxes, dtype=np.float64).reshape(-1, 7)[:, [0, 1, 3, 4, 6]]
    )


def grown(footprints: Any, margin: float) -> F64:
    """(N, 5) footprints enlarged by `margin` metres on every side."""
    wider = _rows(footprints).copy()
    wider[:, 2:4] += 2 * margin
    return wider


def overlapping(a: Any, b: Any) -> Bools:
    """(N, M) whether footprints of a (N, 5) and b (M, 5) share more than a border.

    Two cars in neighbouring lanes, 3 m apart, do not:

    >>> overlapping([[10, 0, 4.5, 1.8, 0]], [[10, 3, 4.5, 1.8, 3.14]]).tolist()
    [[False]]
    """
    from snellen.vision.solids.footprints_kernels import overlaps

    return overlaps(_rows(a), _rows(b))


def sight_line_crossings(places: Any, footprints: Any) -> Bools:
    """(N, M) whether the LiDAR's line of sight to places (N, 2) crosses footprints (M, 5).

    >>> sight_line_crossings([[20, 0], [20, 9]], [[10, 0, 4, 2, 0]]).tolist()
    [[True], [False]]
    """
    from snellen.vision.solids.footprints_kernels import crossings

    flat = np.ascontiguousarray(np.asarray(places, dtype=np.float64).reshape(-1, 2))
    return crossings(flat, _rows(footprints))


def corners_of(footprints: Any) -> F64:
    """(N, 4, 2) corners, counter-clockwise from front left."""
    rows = _rows(footprints)
    signs = np.array([[1, 1], [-1, 1], [-1, -1], [1, -1]]) / 2
    flat = signs[None] * rows[:, None, 2:4]
    cos, sin = np.cos(rows[:, 4])[:, None], np.sin(rows[:, 4])[:, None]
    turned = [flat[..., 0] * cos - flat[..., 1] * sin, flat[..., 0] * sin + flat[..., 1] * cos]
    return np.asarray(np.stack(turned, axis=-1) + rows[:, None, :2])


def _rows(footprints: Any) -> F64:
    return np.ascontiguousarray(np.asarray(footprints, dtype=np.float64).reshape(-1, 5))
