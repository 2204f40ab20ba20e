"""A z-buffer: the nearest face and its depth at every sample of the image.

Pixel centres have integer coordinates, as in KITTI's and OpenCV's calibrations: pixel (0, 0) covers
-0.5 to 0.5. With `samples` = 2 there are four samples per pixel, a quarter pixel off its centre.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property, reduce

import numpy as np

from snellen.vision.arrays import F32, F64, AnyArray, Ints, Ints32
from snellen.vision.compilation import read_only
from snellen.vision.solids.coordinate_frames import CameraPoints

NEAR = 0.1


@dataclass(frozen=True, eq=False)
class Fragments:
    """The visible faces in a window of the image, n x n samples per pixel.

    left, top: first pixel of the window. depth: (h*n, w*n) float64, metres as in
    `CoordinateFrames`, inf for nothing. face: (h*n, w*n) int32, -1 for nothing. rows, columns: (S,)
    the covered samples. owners: (K,) faces of the shaded samples, and weights: (K, 3) barycentric,
    perspective-correct. shared: (S,) the shaded sample of each covered one; None if each has its
    own.
    """

    left: int
    top: int
    samples: int
    depth: F64
    face: Ints32
    rows: Ints
    columns: Ints
    owners: Ints32
    weights: F64
    shared: Ints | None = None

    @cached_property
    def faces(self) -> Ints32:
        """(S,) face at each covered sample."""
        return self.face[self.rows, self.columns]

    @property
    def coverage(self) -> F32:
        """(h, w) share of covered samples of each pixel."""
        parts = [(part >= 0).astype(np.float32) for part in _sample_planes(self.face, self.samples)]
        return np.asarray(reduce(np.add, parts) / np.float32(len(parts)))

    @property
    def pixel_depth(self) -> F64:
        """(h, w) nearest depth within each pixel, inf for nothing."""
        return np.array(reduce(np.minimum, _sample_planes(self.depth, self.samples)))

    def interpolated(self, corners: AnyArray) -> F64:
        """(K, D) values at the shaded samples, from values (F, 3, D) at the corners of faces."""
        from snellen.vision.rendering.raster_kernels import blended

        return np.asarray(blended(self.weights, np.ascontiguousarray(corners), self.owners))

    def interpolated_vertices(self, values: F64, faces: Ints32) -> F64:
        """(K, D) values at the shaded samples, from values (V, D) at the vertices of faces."""
        from snellen.vision.rendering.raster_kernels import blended_vertices

        return np.asarray(
            blended_vertices(self.weights, read_only(values), read_only(faces), self.owners)
        )


def zbuffer(
    points: CameraPoints,
    faces: Ints32,
    projection: F64,
    shape: tuple[int, int],
    *,
    samples: int = 2,
    near: float = NEAR,
    closed: bool = False,
    sharing: bool = False,
) -> Fragments:
    """The visible faces, in the smallest window of the image that contains them.

    points: (V, 3) in the rectified camera frame, metres. projection: (3, 4), used in full. shape:
    height and width of the image in pixels. Parts nearer than `near` metres are clipped. closed:
    the faces bound solids and face outwards, so that those facing away need not be drawn. sharing:
    samples of a pixel on the same face are shaded once.
    """
    from snellen.vision.rendering.raster_kernels import barycentrics, rasterise, shared_samples

    matrix = np.asarray(projection, dtype=np.float64)
    projected = np.ascontiguousarray(np.asarray(points) @ matrix[:, :3].T + matrix[:, 3])
    left, top, right, bottom = _window(projected, shape, near)
    step = 1.0 / samples
    start = np.array([left, top], dtype=np.float64) - 0.5 + step / 2
    grid = (bottom - top) * samples, (right - left) * samples
    depth = np.full(grid, np.inf)
    owner = np.full(grid, -1, dtype=np.int32)
    triangles = read_only(np.asarray(faces, dtype=np.int32))
    hidden = float(np.sign(np.linalg.det(matrix[:, :3]))) if closed else 0.0
    rasterise(projected, triangles, start, step, near, hidden, depth, owner)
    rows, columns = (read_only(found) for found in np.nonzero(owner >= 0))
    r, c, shared = rows, columns, None
    if sharing:
        chosen, shared = shared_samples(owner, rows, columns, samples)
        r, c = read_only(rows[chosen]), read_only(columns[chosen])
    weights = barycentrics(projected, triangles, start, step, owner, r, c)
    return Fragments(left, top, samples, depth, owner, rows, columns, owner[r, c], weights, shared)


def silhouette(
    points: CameraPoints,
    faces: Ints32,
    projection: F64,
    shape: tuple[int, int],
    *,
    samples: int = 2,
    near: float = NEAR,
    closed: bool = False,
) -> tuple[int, int, F32]:
    """Left and top of the window, and the share of each of its pixels (h, w) that faces cover.

    As `zbuffer`, if only the outline is needed.
    """
    from snellen.vision.rendering.raster_kernels import rasterise

    matrix = np.asarray(projection, dtype=np.float64)
    projected = np.ascontiguousarray(np.asarray(points) @ matrix[:, :3].T + matrix[:, 3])
    left, top, right, bottom = _window(projected, shape, near)
    step = 1.0 / samples
    start = np.array([left, top], dtype=np.float64) - 0.5 + step / 2
    depth = np.full(((bottom - top) * samples, (right - left) * samples), np.inf)
    owner = np.full(depth.shape, -1, dtype=np.int32)
    hidden = float(np.sign(np.linalg.det(matrix[:, :3]))) if closed else 0.0
    rasterise(projected, read_only(faces), start, step, near, hidden, depth, owner)
    parts = [(part >= 0).astype(np.float32) for part in _sample_planes(owner, samples)]
    return left, top, np.asarray(reduce(np.add, parts) / np.float32(len(parts)))


def _window(projected: F64, shape: tuple[int, int], near: float) -> tuple[int, int, int, int]:
    """Left, top, right, bottom (exclusive) of the pixels that the points may touch."""
    height, width = shape
    ahead = projected[:, 2] >= near
    if not ahead.any():
        return 0, 0, 0, 0
    if not ahead.all():
        return 0, 0, width, height
    flat = np.ascontiguousarray(projected[:, :2].T) / projected[:, 2]
    low = np.clip(np.floor(flat.min(axis=1) + 0.5), 0, [width, height]).astype(int)
    high = np.clip(np.floor(flat.max(axis=1) + 0.5) + 1, 0, [width, height]).astype(int)
    high = np.maximum(high, low)
    return int(low[0]), int(low[1]), int(high[0]), int(high[1])


def _sample_planes(values: AnyArray, samples: int) -> list[AnyArray]:
    """The first samples of all pixels, the second ones, and so on, each (h, w)."""
    return [values[i::samples, j::samples] for i in range(samples) for j in range(samples)]
