"""Exact sweeps of synthetic streets: the returns of a LiDAR from z = height(x, y)."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from snellen.vision.arrays import F64, Bools

Ground = Callable[[F64, F64], F64]

HEIGHT = 1.73
STRIDE, FARTHEST = 0.2, 70.0


def sweep(above: Ground, apart: float = 0.41, lowest: float = 24.8, half: float = 60.0) -> F64:
    """(N, 4) returns of rings `apart` degrees apart from a world `above` the plane z = -1.73."""
    slopes = np.tan(np.radians(np.arange(lowest, -2.0, -apart)))[:, None]
    turns = np.radians(np.arange(-half, half, 0.25))[None, :]
    slope, cos, sin = np.broadcast_arrays(slopes, np.cos(turns), np.sin(turns))

    def clear(run: F64) -> Bools:
        return np.asarray(-slope * run > above(run * cos, run * sin) - HEIGHT)

    near, far = np.full(slope.shape, 2.0), np.full(slope.shape, np.inf)
    for step in np.arange(2.0, FARTHEST, STRIDE):
        met = np.isinf(far) & ~clear(np.full(slope.shape, step))
        far[met], near[met] = step, step - STRIDE
    hit = np.isfinite(far)
    far[~hit] = 3.0
    for _ in range(16):
        middle = (near + far) / 2
        free = clear(middle)
        near, far = np.where(free, middle, near), np.where(free, far, middle)
    points = np.stack([far * cos, far * sin, -slope * far, np.full(slope.shape, 0.3)], axis=-1)
    return np.asarray(points[hit])


def ground_of(points: F64, above: Ground, most: float = 0.3) -> Bools:
    """(N,) whether the world is at most this high at each point."""
    return np.asarray(above(points[:, 0], points[:, 1]) <= most)


def between(edge: float, step: float) -> Ground:
    """A road as wide as twice the edge, and `step` metres up beyond it."""
    return lambda x, y: np.where(np.abs(y) > edge, step, 0.0)


def with_boxes(above: Ground, *boxes: tuple[float, float, float, float, float]) -> Ground:
    """With boxes x y length width height on it, along the axes."""

    def world(x: F64, y: F64) -> F64:
        top = np.asarray(above(x, y), dtype=np.float64) + 0 * x
        for box_x, box_y, length, width, height in boxes:
            inside = (np.abs(x - box_x) < length / 2) & (np.abs(y - box_y) < width / 2)
            top = np.where(inside, height, top)
        return top

    return world
