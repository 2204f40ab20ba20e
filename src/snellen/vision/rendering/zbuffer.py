"""What a camera sees of triangles: the nearest face and its depth at every sample of the picture.

A pixel's centre has whole coordinates, as in KITTI's and OpenCV's calibrations: pixel (0, 0) covers
-0.5 to 0.5. With `samples` = 2 there are four samples a pixel, a quarter pixel off its centre.
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
    """What is seen in a window of the picture, n x n samples a pixel.

    left, top: the window's first pixel. depth: (h*n, w*n) float64, metres as `Frames` gives the
    depth, inf where nothing is. face: (h*n, w*n) int32, -1 where nothing is. rows, columns: (S,)
    the samples where something is. owners: (K,) faces of the samples that are shaded, and weights:
    (K, 3) barycentric there, correct in perspective. shared: (S,) the one of them that each sample
    takes; None where each has its own.
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
        """(S,) face seen at each covered sample."""
        return self.face[self.rows, self.columns]

    @property
    def coverage(self) -> F32:
        """(h, w) share of each pixel's samples at which something is seen."""
        parts = [(part >= 0).astype(np.float32) for part in _apart(self.face, self.samples)]
        return np.asarray(reduce(np.add, parts) / np.float32(len(parts)))

    @property
    def pixel_depth(self) -> F64:
        """(h, w) nearest depth within each pixel, inf where nothing is seen."""
        return np.array(reduce(np.minimum, _apart(self.depth, self.samples)))

    def interpolated(self, corners: AnyArray) -> F64:
        """(K, D) values at the shaded samples, from values (F, 3, D) at the faces' corners."""
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
    """What the camera sees of the faces, in the smallest window of the picture that holds them.

    points: (V, 3) in the rectified camera frame, metres. projection: (3, 4), all of it is used.
    shape: height and width of the picture in pixels. Parts nearer than `near` metres are cut off.
    closed: the faces bound solids and look outwards, so those that look away need no drawing.
    sharing: samples of a pixel that show the same face are shaded once.
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
    """The window's left and top, and the share of each of its pixels (h, w) that faces cover.

    As `zbuffer`, for when nothing but the outline is needed.
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
    parts = [(part >= 0).astype(np.float32) for part in _apart(owner, samples)]
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


def _apart(values: AnyArray, samples: int) -> list[AnyArray]:
    """The first samples of all pixels, the second ones, and so on, each (h, w)."""
    return [values[i::samples, j::samples] for i in range(samples) for j in range(samples)]
