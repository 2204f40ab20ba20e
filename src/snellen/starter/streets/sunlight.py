"""Shadows in a street: a depth map from the sun."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from snellen.vision.arrays import F64, Ints32

CELL = 0.06
FAR = 1e5
"""Distance to the sun in metres: far enough for parallel rays, near enough for the rasteriser."""
AREA = ((-12.0, 78.0), (-32.0, 32.0))
"""The part of the ground, x and y, with shadows."""
BIAS = 0.10
SOFT = 0.08


@dataclass(frozen=True, eq=False)
class SunMap:
    """A shadow map: depth (R, C) in metres from the sun, in cells from `start` along two axes."""

    axes: F64
    start: F64
    depth: F64

    def lit(self, places: F64, normals: F64) -> F64:
        """(K,) the share of sunlight that reaches places, (K, 3) with unit normals.

        The mean of four samples a few centimetres apart, for soft edges. 1 outside the map.
        """
        flat = (places + BIAS * normals) @ self.axes.T
        total = np.zeros(len(places))
        for across, down in ((-SOFT, -SOFT), (SOFT, -SOFT), (-SOFT, SOFT), (SOFT, SOFT)):
            column = np.rint((flat[:, 0] + across - self.start[0]) / CELL).astype(np.int64)
            row = np.rint((flat[:, 1] + down - self.start[1]) / CELL).astype(np.int64)
            height, width = self.depth.shape
            inside = (column >= 0) & (column < width) & (row >= 0) & (row < height)
            nearest = self.depth[row.clip(0, height - 1), column.clip(0, width - 1)]
            total += ~inside | (FAR - flat[:, 2] < nearest + BIAS)
        return np.asarray(total / 4)


def sun_map(vertices: F64, faces: Ints32, towards: F64, ground: float) -> SunMap:
    """The map of triangles in the LiDAR frame. towards: unit vector to the sun; ground: its z."""
    from snellen.vision.compilation import read_only
    from snellen.vision.rendering.raster_kernels import rasterise

    axes = _axes(towards)
    (near, far), (right, left) = AREA
    ends = np.array([(x, y, ground) for x in (near, far) for y in (right, left)]) @ axes.T
    start, stop = ends[:, :2].min(axis=0), ends[:, :2].max(axis=0)
    shape = np.ceil((stop - start) / CELL).astype(int)[::-1]
    seen = vertices @ axes.T
    away = FAR - seen[:, 2]
    flat = np.column_stack([(seen[:, :2] - start) / CELL * away[:, None], away])
    depth = np.full(tuple(shape), np.inf)
    owner = np.full(tuple(shape), -1, dtype=np.int32)
    rasterise(
        np.ascontiguousarray(flat), read_only(faces), np.zeros(2), 1.0, 1.0, 0.0, depth, owner
    )
    return SunMap(axes, start, depth)


def _axes(towards: F64) -> F64:
    """(3, 3) unit rows: two perpendicular to the sun's rays, and the direction to the sun."""
    first = np.cross(np.array([0.0, 0.0, 1.0]), towards)
    first /= np.linalg.norm(first)
    return np.stack([first, np.cross(towards, first), towards])
