"""Meshes for LiDAR tests, and slow ray casting."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import numpy as np

from snellen.vision.arrays import F64, Ints32


def block(
    centre: tuple[float, float, float], size: tuple[float, float, float]
) -> tuple[F64, Ints32]:
    """An upright box: 8 vertices and 12 faces."""
    signs = np.array([(x, y, z) for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)]) / 2
    quads = [(0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3)]
    faces = [half for a, b, c, d in quads for half in ((a, b, c), (a, c, d))]
    return signs * size + centre, np.array(faces, dtype=np.int32)


def read_obj(path: Path) -> tuple[F64, Ints32]:
    """Vertices and fans of faces of an OBJ file, y up, turned so that z is up."""
    vertices, faces = [], []
    for line in path.read_text(errors="replace").splitlines():
        kind, *words = line.split() or [""]
        if kind == "v":
            vertices.append([float(word) for word in words[:3]])
        if kind == "f":
            ring = [int(word.split("/")[0]) - 1 for word in words]
            faces += [(ring[0], b, c) for b, c in pairwise(ring[1:])]
    return np.array(vertices)[:, [2, 0, 1]], np.array(faces, dtype=np.int32)


def slow_cast(origins: F64, ways: F64, triangles: F64) -> tuple[F64, Ints32]:
    """The nearest hit of each ray (K,) and its face, by testing every triangle.

    Solves origin + t * way = a + u * (b - a) + v * (c - a) for (t, u, v).
    """
    distances, faces = np.full(len(ways), np.inf), np.full(len(ways), -1, dtype=np.int32)
    for index, (a, b, c) in enumerate(triangles):
        sides = np.stack(np.broadcast_arrays(-ways, b - a, c - a), axis=2)
        regular = np.abs(np.linalg.det(sides)) > 1e-14
        t, u, v = np.linalg.solve(sides[regular], (origins[regular] - a)[..., None])[..., 0].T
        met = (u >= 0) & (v >= 0) & (u + v <= 1) & (t > 1e-9)
        rays = np.flatnonzero(regular)[met]
        nearer = t[met] < distances[rays]
        distances[rays[nearer]], faces[rays[nearer]] = t[met][nearer], index
    return distances, faces
