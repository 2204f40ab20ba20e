"""Shadows of an object on the ground around it: of the sun and of the sky."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from snellen.vision.arrays import F32, F64, Ints, Ints32
from snellen.vision.compilation import read_only
from snellen.vision.rendering.zbuffer import NEAR, silhouette
from snellen.vision.solids.coordinate_frames import CameraPoints, CoordinateFrames, LidarPoints

CELL = 0.08
MARGIN = 1.2
SMOOTH = 0.16
RINGS, SIDES = 4, 6


@dataclass(frozen=True, eq=False)
class SkyOcclusion:
    """The share of the sky that an object hides from the level ground around it, in its frame.

    share: (rows, columns) float32, 0 where the whole sky is visible; rows along x and columns along
    y in cells of 0.08 m, the centre of the first cell at `start` (x, y) in metres.
    """

    share: F32
    start: tuple[float, float]

    def at(self, x: F64, y: F64) -> F32:
        """The hidden share at x, y (h, w) in the object's frame: linear in cells, 0 outside."""
        import cv2

        columns = ((y - self.start[1]) / CELL).astype(np.float32)
        rows = ((x - self.start[0]) / CELL).astype(np.float32)
        return np.asarray(cv2.remap(self.share, columns, rows, cv2.INTER_LINEAR), dtype=np.float32)


def sky_occlusion(vertices: F64, faces: Ints32, *, closed: bool = False) -> SkyOcclusion:
    """The share of a uniform sky that the mesh hides: the mean of its shadows in 24 directions.

    vertices: (V, 3) metres, z above the ground. The directions have equal weight for level ground,
    where light from near the horizon counts less. closed: the faces bound solids and face outwards,
    so that half of them need not be drawn.
    """
    import cv2

    from snellen.vision.rendering.raster_kernels import rasterise

    low = vertices[:, :2].min(axis=0) - MARGIN
    counts = np.ceil((vertices[:, :2].max(axis=0) + MARGIN - low) / CELL).astype(int)
    total = np.zeros(counts, dtype=np.float32)
    flat = np.ones((len(vertices), 3))
    for slope in _slopes():
        fallen = (vertices[:, :2] - vertices[:, 2:] * slope - low) / CELL
        flat[:, :2] = fallen[:, ::-1]
        depth = np.full(counts, np.inf)
        owner = np.full(counts, -1, dtype=np.int32)
        rasterise(flat, read_only(faces), np.zeros(2), 1.0, 0.5, float(closed), depth, owner)
        total += owner >= 0
    share = total / (RINGS * SIDES)
    share = cv2.GaussianBlur(share, (0, 0), SMOOTH / CELL) * _fading(counts)
    return SkyOcclusion(np.asarray(share, dtype=np.float32), (float(low[0]), float(low[1])))


def _slopes() -> F64:
    """(24, 2) metres sideways per metre up, of directions to the sky."""
    sine = np.sqrt((np.arange(RINGS) + 0.5) / RINGS)
    tangent = sine / np.sqrt(1 - sine**2)
    turn = 2 * np.pi * (np.arange(SIDES) + np.arange(RINGS)[:, None] / RINGS) / SIDES
    slopes = np.stack([np.cos(turn), np.sin(turn)], axis=2) * tangent[:, None, None]
    return np.asarray(slopes.reshape(-1, 2))


def _fading(counts: Ints) -> F32:
    """(rows, columns) 1 inside, falling to 0 at the border over half the margin."""
    ramps = []
    for count in counts:
        edge = np.minimum(np.arange(count), np.arange(count)[::-1]) * CELL
        ramps.append(np.clip(edge / (0.5 * MARGIN), 0, 1).astype(np.float32))
    return np.asarray(np.outer(*ramps), dtype=np.float32)


@dataclass(frozen=True, eq=False)
class CastShadow:
    """The shadow of the sun on level ground, in a window of the image.

    left, top: first pixel of the window. share: (h, w) float32 of each pixel that is in shadow.
    """

    left: int
    top: int
    share: F32


def cast_shadow(
    vertices: F64,
    faces: Ints32,
    ground: float,
    towards: tuple[float, float, float],
    frames: CoordinateFrames,
    shape: tuple[int, int],
    *,
    closed: bool = False,
) -> CastShadow:
    """The shadow of a placed mesh, vertices (V, 3) in the LiDAR frame, on the ground at that z.

    towards: unit vector to the sun. Parts below the ground cast no shadow. closed: the faces bound
    solids and face outwards, so that those facing away from the sun need not be drawn.
    """
    fall = np.maximum(vertices[:, 2] - ground, 0.0) / max(towards[2], 0.2)
    flat = vertices - fall[:, None] * np.asarray(towards)
    flat[:, 2] = ground
    points = frames.lidar_to_camera(LidarPoints(flat))
    left, top, share = silhouette(
        CameraPoints(points), faces, frames.projection, shape, samples=1, near=NEAR, closed=closed
    )
    return CastShadow(left, top, share)
