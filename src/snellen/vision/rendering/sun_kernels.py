"""Compiled loops that score directions of the sun by the shadows in a frame."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from snellen.vision.arrays import AnyArray
from snellen.vision.compilation import compiled
from snellen.vision.lidar.ground_surface_kernels import height_at

TURN = 2 * math.pi
NEAREST, FARTHEST, LOWEST = 2.5, 50.0, 0.3
MARGIN, ASIDE, UP = 8, 4, 6
"""Pixels: width of the border left out, and distances from a pixel of a wall to its neighbours."""


@compiled
def standing_points(
    points: AnyArray, ground: AnyArray, surface: AnyArray, cell: float, stride: int
) -> Any:
    """Places (M, 3), z of the ground there (M,) and rise over run (M,) of points on objects.

    Of every stride-th point (N, 3 or more) float32 that is not ground (N,), those 2.5 m to 50 m
    away and more than 0.3 m above the ground. surface: (C, C) z of the ground in cells.
    """
    places = np.empty((len(points) // stride + 1, 3), dtype=np.float32)
    floors, rises = np.empty(len(places)), np.empty(len(places), dtype=np.float32)
    others, count = 0, 0
    for i in range(len(points)):
        if ground[i]:
            continue
        others += 1
        if (others - 1) % stride:
            continue
        x, y, z = points[i, 0], points[i, 1], points[i, 2]
        flat = np.float32(np.hypot(x, y))
        if not NEAREST < flat < FARTHEST:
            continue
        floor = height_at(surface, cell, x, y)
        if z - floor > LOWEST:
            places[count, 0], places[count, 1], places[count, 2] = x, y, z
            floors[count], rises[count] = floor, z / flat
            count += 1
    return places[:count], floors[:count], rises[:count]


@compiled
def cell_heights(
    points: AnyArray, floor: AnyArray, cell: float, cut: float, taller: float
) -> AnyArray:
    """(n, n) height above ground of the object in each cell around the LiDAR, 0 for none.

    points: (N, 3) on objects, floor: (N,) z of the ground below each. Objects with points above the
    tangent `cut` extend beyond the LiDAR's view and are taken to be `taller` metres higher.
    """
    count = 200
    heights = np.zeros((count, count))
    for i in range(len(points)):
        x, y, z = points[i, 0], points[i, 1], points[i, 2]
        row = int(np.floor(x / cell)) + count // 2
        column = int(np.floor(y / cell)) + count // 2
        if 0 <= row < count and 0 <= column < count:
            more = taller if z > cut * np.sqrt(x * x + y * y) else 0.0
            heights[row, column] = max(heights[row, column], z - floor[i] + more)
    return heights


@compiled
def shadow_scores(
    heights: AnyArray,
    places: AnyArray,
    brightness: AnyArray,
    towards: AnyArray,
    rises: AnyArray,
    steps: AnyArray,
    cell: float,
) -> AnyArray:
    """(A, E) correlation of the places that a sun would light with their brightness.

    heights: (n, n) of objects around the LiDAR. places: (G, 2) on the ground; brightness: (G,) with
    mean 0 and deviation 1. Directions of the sun: towards (A, 2) unit, and rises (E,) ascending
    tangents of elevation. steps: (K,) metres from a place at which obstacles are looked up. A
    deviation below 0.1, of places nearly all lit or dark, counts as 0.1.
    """
    size, count = len(heights), len(steps)
    scores, mean = np.zeros((len(towards), len(rises))), brightness.mean()
    rows, columns = np.empty(count), np.empty(count)
    for a in range(len(towards)):
        lit, bright = np.zeros(len(rises)), np.zeros(len(rises))
        for k in range(count):
            rows[k], columns[k] = steps[k] * towards[a, 0] / cell, steps[k] * towards[a, 1] / cell
        for i in range(len(places)):
            x, y, needed = places[i, 0] / cell, places[i, 1] / cell, 0.0
            for k in range(count):
                row = int(np.floor(x + rows[k])) + size // 2
                column = int(np.floor(y + columns[k])) + size // 2
                if 0 <= row < size and 0 <= column < size:
                    height = heights[row, column]
                    if height > needed * steps[k]:
                        needed = height / steps[k]
            for e in range(len(rises)):
                if needed < rises[e]:
                    lit[e] += 1
                    bright[e] += brightness[i]
        for e in range(len(rises)):
            share = lit[e] / len(places)
            deviation = max(math.sqrt(share * (1 - share)), 0.1)
            scores[a, e] = (bright[e] / len(places) - share * mean) / deviation
    return scores


@compiled
def wall_azimuths(
    standing: AnyArray, back: AnyArray, stride: int, farthest: float, smooth: float
) -> Any:
    """Azimuths (W,) that upright surfaces face, 0 to a turn, and their pixels (W, 2) row, column.

    standing: (H, W) float32 depth of objects, inf elsewhere; sampled at every stride-th pixel
    nearer than farthest, where the depth around differs by less than smooth. back: (3, 4) from
    u * depth, v * depth, depth and 1 to a place in the LiDAR frame.
    """
    height, width = standing.shape
    most = (height // stride + 1) * (width // stride + 1)
    azimuths, pixels = np.empty(most), np.empty((most, 2), dtype=np.int64)
    count = 0
    for r in range(MARGIN, height - MARGIN, stride):
        for c in range(MARGIN, width - MARGIN, stride):
            if not standing[r, c] < farthest:
                continue
            right, left = standing[r, c + ASIDE], standing[r, c - ASIDE]
            below, above = standing[r + UP, c], standing[r - UP, c]
            most_deep = max(max(right, left), max(below, above))
            if not most_deep - min(min(right, left), min(below, above)) < smooth:
                continue
            x1, y1, z1 = back_projected(back, c + ASIDE, r, right)
            x2, y2, z2 = back_projected(back, c - ASIDE, r, left)
            x3, y3, z3 = back_projected(back, c, r - UP, above)
            x4, y4, z4 = back_projected(back, c, r + UP, below)
            dx, dy, dz, ex, ey, ez = x1 - x2, y1 - y2, z1 - z2, x3 - x4, y3 - y4, z3 - z4
            nx, ny, nz = dy * ez - dz * ey, dz * ex - dx * ez, dx * ey - dy * ex
            if not abs(nz) < 0.5 * math.sqrt(nx * nx + ny * ny + nz * nz):
                continue
            way = -1.0 if nx * x1 + ny * y1 + nz * z1 > 0 else 1.0
            azimuths[count] = math.atan2(way * ny, way * nx) % TURN
            pixels[count, 0], pixels[count, 1] = r, c
            count += 1
    return azimuths[:count], pixels[:count]


@compiled
def back_projected(back: AnyArray, u: int, v: int, depth: float) -> tuple[float, float, float]:
    """X, y and z in the LiDAR frame of a pixel at a depth."""
    deep = np.float64(depth)
    a, b = u * deep, v * deep
    return (
        back[0, 0] * a + back[0, 1] * b + back[0, 2] * deep + back[0, 3],
        back[1, 0] * a + back[1, 1] * b + back[1, 2] * deep + back[1, 3],
        back[2, 0] * a + back[2, 1] * b + back[2, 2] * deep + back[2, 3],
    )
