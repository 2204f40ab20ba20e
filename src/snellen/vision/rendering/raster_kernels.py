"""Compiled loops of the z-buffer.

A triangle is rasterised in homogeneous coordinates: with its projected corners h0, h1, h2 (pixels
times depth, depth), the three edge functions at a sample (u, v) are the dot products of (u, v, 1)
with the cross products of the corners. Their signs say whether the sample is inside, even if a
corner lies behind the camera, and their sum gives the depth; so clipping at the near plane is a
test of the depth of each sample and cuts no triangle. Two faces that share an edge compute the same
cross product with opposite sign, so no sample falls between them.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from snellen.vision.arrays import AnyArray
from snellen.vision.compilation import compiled


@compiled
def edges_of(points: AnyArray, faces: AnyArray, face: int, edges: AnyArray) -> Any:
    """The determinant of the corners of a face; fills edges (3, 3) with their cross products."""
    for k in range(3):
        a, b = faces[face, (k + 1) % 3], faces[face, (k + 2) % 3]
        edges[k, 0] = points[a, 1] * points[b, 2] - points[a, 2] * points[b, 1]
        edges[k, 1] = points[a, 2] * points[b, 0] - points[a, 0] * points[b, 2]
        edges[k, 2] = points[a, 0] * points[b, 1] - points[a, 1] * points[b, 0]
    first = faces[face, 0]
    return (
        edges[0, 0] * points[first, 0]
        + edges[0, 1] * points[first, 1]
        + edges[0, 2] * points[first, 2]
    )


@compiled
def sample_range(low: float, high: float, start: float, step: float, count: int) -> Any:
    """The first and last + 1 index of samples start + i * step in [low, high]."""
    first = max(0, int(np.ceil(max((low - start) / step, -1.0))))
    last = min(count, int(np.floor(min((high - start) / step, count + 1.0))) + 1)
    return first, last


@compiled
def rasterise(
    points: AnyArray,
    faces: AnyArray,
    start: AnyArray,
    step: float,
    near: float,
    hidden: float,
    depth: AnyArray,
    owner: AnyArray,
) -> None:
    """Fill depth (R, C) with the nearest depth and owner (R, C) with its face, at every sample.

    points: (V, 3) projected corners. start: u, v of sample (0, 0). step: pixels between samples.
    hidden: the sign of the determinant of faces to leave out, 0 for none. depth must be filled with
    inf and owner with -1.
    """
    rows, columns = depth.shape
    edges = np.empty((3, 3))
    for face in range(len(faces)):
        nearest, farthest = np.inf, -np.inf
        left, right, top, bottom = np.inf, -np.inf, np.inf, -np.inf
        for k in range(3):
            corner = points[faces[face, k]]
            nearest, farthest = min(nearest, corner[2]), max(farthest, corner[2])
            if corner[2] > 0:
                u, v = corner[0] / corner[2], corner[1] / corner[2]
                left, right = min(left, u), max(right, u)
                top, bottom = min(top, v), max(bottom, v)
        if not farthest >= near:
            continue
        if nearest < near:
            left, right, top, bottom = -np.inf, np.inf, -np.inf, np.inf
        c0, c1 = sample_range(left, right, start[0], step, columns)
        r0, r1 = sample_range(top, bottom, start[1], step, rows)
        if c0 >= c1 or r0 >= r1:
            continue
        volume = edges_of(points, faces, face, edges)
        if volume == 0.0 or volume * hidden > 0:
            continue
        sign = 1.0 if volume > 0 else -1.0
        for r in range(r0, r1):
            v = start[1] + r * step
            e0 = edges[0, 1] * v + edges[0, 2]
            e1 = edges[1, 1] * v + edges[1, 2]
            e2 = edges[2, 1] * v + edges[2, 2]
            for c in range(c0, c1):
                u = start[0] + c * step
                b0 = sign * (edges[0, 0] * u + e0)
                b1 = sign * (edges[1, 0] * u + e1)
                b2 = sign * (edges[2, 0] * u + e2)
                if b0 < 0 or b1 < 0 or b2 < 0:
                    continue
                total = b0 + b1 + b2
                if total <= 0:
                    continue
                # Clamped to the depths of the corners, in case of rounding errors on slivers.
                w = min(max(sign * volume / total, nearest), farthest)
                if near <= w < depth[r, c]:
                    depth[r, c] = w
                    owner[r, c] = face


@compiled
def shared_samples(owner: AnyArray, rows: AnyArray, columns: AnyArray, samples: int) -> Any:
    """The samples (K,) to shade among those at rows and columns (S,), and the one of each (S,).

    Samples of a pixel on the same face share one. They must be ordered row by row.
    """
    height, width = owner.shape
    first = np.full((height, width), -1, dtype=np.int64)
    chosen = np.empty(len(rows), dtype=np.int64)
    shared = np.empty(len(rows), dtype=np.int64)
    count = 0
    for i in range(len(rows)):
        row, column = rows[i], columns[i]
        top, left = row // samples * samples, column // samples * samples
        found = -1
        for r in range(top, row + 1):
            for c in range(left, left + samples):
                if first[r, c] >= 0 and owner[r, c] == owner[row, column]:
                    found = first[r, c]
        if found < 0:
            found = count
            chosen[count] = i
            count += 1
        first[row, column] = found
        shared[i] = found
    return chosen[:count].copy(), shared


@compiled
def barycentrics(
    points: AnyArray,
    faces: AnyArray,
    start: AnyArray,
    step: float,
    owner: AnyArray,
    rows: AnyArray,
    columns: AnyArray,
) -> AnyArray:
    """(S, 3) perspective-correct weights of the corners at samples (rows, columns)."""
    weights = np.empty((len(rows), 3))
    edges = np.empty((3, 3))
    for i in range(len(rows)):
        face: Any = np.int64(owner[rows[i], columns[i]])
        edges_of(points, faces, face, edges)
        u, v = start[0] + columns[i] * step, start[1] + rows[i] * step
        total = 0.0
        for k in range(3):
            weights[i, k] = edges[k, 0] * u + edges[k, 1] * v + edges[k, 2]
            total += weights[i, k]
        for k in range(3):
            weights[i, k] /= total
    return weights


@compiled
def blended_vertices(
    weights: AnyArray, values: AnyArray, faces: AnyArray, owners: AnyArray
) -> AnyArray:
    """(S, K) values at samples on faces owners (S,), from values (V, K) at the vertices."""
    count = values.shape[1]
    result = np.empty((len(weights), count))
    for i in range(len(weights)):
        a, b, c = faces[owners[i], 0], faces[owners[i], 1], faces[owners[i], 2]
        for d in range(count):
            result[i, d] = (
                weights[i, 0] * values[a, d]
                + weights[i, 1] * values[b, d]
                + weights[i, 2] * values[c, d]
            )
    return result


@compiled
def blended(weights: AnyArray, corners: AnyArray, faces: AnyArray) -> AnyArray:
    """(S, K) values at samples from values (F, 3, K) at the corners of their faces (S,)."""
    count = corners.shape[2]
    values = np.empty((len(weights), count))
    for i in range(len(weights)):
        corner = corners[faces[i]]
        for d in range(count):
            values[i, d] = (
                weights[i, 0] * corner[0, d]
                + weights[i, 1] * corner[1, d]
                + weights[i, 2] * corner[2, d]
            )
    return values
