"""Compiled loops that intersect the rays of a scan with triangles."""

from __future__ import annotations

import math

import numpy as np

from snellen.vision.arrays import F64, Ints, Ints32
from snellen.vision.compilation import compiled

TURN = 2 * math.pi
SLACK = 1e-9


@compiled
def hit_distance(corners: F64, height: float, way: F64) -> float:
    """The distance along `way` at which a ray from (0, 0, height) hits a triangle (3, 3), or inf.

    Both sides and the edges count (Moeller and Trumbore's test).
    """
    ax, ay, az = corners[0, 0], corners[0, 1], corners[0, 2]
    ux, uy, uz = corners[1, 0] - ax, corners[1, 1] - ay, corners[1, 2] - az
    vx, vy, vz = corners[2, 0] - ax, corners[2, 1] - ay, corners[2, 2] - az
    px, py, pz = way[1] * vz - way[2] * vy, way[2] * vx - way[0] * vz, way[0] * vy - way[1] * vx
    volume = ux * px + uy * py + uz * pz
    if volume == 0.0:
        return np.inf
    sx, sy, sz = -ax, -ay, height - az
    first = (sx * px + sy * py + sz * pz) / volume
    if not 0.0 <= first <= 1.0:
        return np.inf
    qx, qy, qz = sy * uz - sz * uy, sz * ux - sx * uz, sx * uy - sy * ux
    second = (way[0] * qx + way[1] * qy + way[2] * qz) / volume
    if second < 0.0 or first + second > 1.0:
        return np.inf
    distance = (vx * qx + vy * qy + vz * qz) / volume
    return distance if distance > SLACK else np.inf


@compiled
def axis_distances(corners: F64) -> tuple[float, float]:
    """The smallest and the largest distance of a triangle (3, 3) from the z axis."""
    left, right, least, most = True, True, np.inf, 0.0
    for i in range(3):
        x, y = corners[i, 0], corners[i, 1]
        along_x, along_y = corners[(i + 1) % 3, 0] - x, corners[(i + 1) % 3, 1] - y
        turn = along_y * x - along_x * y
        left, right = left and turn >= 0, right and turn <= 0
        length = along_x * along_x + along_y * along_y
        part = 0.0 if length == 0 else -(x * along_x + y * along_y) / length
        part = min(max(part, 0.0), 1.0)
        foot_x, foot_y = x + part * along_x, y + part * along_y
        least = min(least, foot_x * foot_x + foot_y * foot_y)
        most = max(most, x * x + y * y)
    return 0.0 if left or right else math.sqrt(least), math.sqrt(most)


@compiled
def azimuth_range(first: float, second: float, third: float) -> tuple[float, float]:
    """The azimuths, low to high, of a triangle off the axis, from those of its corners.

    0 <= low < TURN; high may exceed a turn.
    """
    low, high = 0.0, 0.0
    for corner in (second, third):
        apart = corner - first
        if apart > math.pi:
            apart -= TURN
        if apart <= -math.pi:
            apart += TURN
        low, high = min(low, apart), max(high, apart)
    start = (first + low - SLACK) % TURN
    return start, start + (high - low) + 2 * SLACK


@compiled
def _first_at_least(rising: F64, value: float) -> int:
    """The first index in ascending numbers that is not below a value."""
    low, high = 0, len(rising)
    while low < high:
        middle = (low + high) // 2
        if rising[middle] < value:
            low = middle + 1
        else:
            high = middle
    return low


@compiled
def cast(
    vertices: F64,
    faces: Ints32,
    heights: F64,
    bands: F64,
    first: Ints,
    azimuths: F64,
    slopes: F64,
    directions: F64,
    order: Ints,
    greatest: F64,
) -> tuple[F64, Ints32]:
    """The distance (K,) at which each ray first hits a triangle, or inf, and its index, or -1.

    vertices: (V, 3), faces: (F, 3); the rest as in a scan. order: (R,) the rings by smallest slope;
    greatest: (R,) the largest slope of a ring and all before it in this order. A triangle is tested
    only against the rays within its range of azimuth and slope; at equal distance the first
    triangle counts.
    """
    distances, met = np.empty(len(azimuths)), np.empty(len(azimuths), dtype=np.int32)
    for k in range(len(azimuths)):
        distances[k], met[k] = np.inf, -1
    turned = np.empty(len(vertices))
    for v in range(len(vertices)):
        turned[v] = math.atan2(vertices[v, 1], vertices[v, 0])
    corners = np.empty((3, 3))
    bins = first.shape[1] - 1
    lowest, highest = np.inf, -np.inf
    for r in range(len(heights)):
        lowest, highest = min(lowest, heights[r]), max(highest, heights[r])
    for f in range(len(faces)):
        a, b, c = faces[f, 0], faces[f, 1], faces[f, 2]
        for axis in range(3):
            corners[0, axis] = vertices[a, axis]
            corners[1, axis] = vertices[b, axis]
            corners[2, axis] = vertices[c, axis]
        near, far = axis_distances(corners)
        top = max(corners[0, 2], corners[1, 2], corners[2, 2])
        bottom = min(corners[0, 2], corners[1, 2], corners[2, 2])
        beside = near > SLACK
        per_near, per_far = (1 / near, 1 / far) if beside else (np.inf, 0.0)
        start, end = azimuth_range(turned[a], turned[b], turned[c]) if beside else (0.0, TURN)
        if end - start > math.pi:
            start, end = 0.0, TURN
        up, down = top - lowest, bottom - highest
        ceiling = up * (per_near if up > 0 else per_far) + SLACK
        floor = down * (per_near if down < 0 else per_far) - SLACK
        for place in range(_first_at_least(greatest, floor), len(order)):
            r = order[place]
            if bands[r, 0] > ceiling:
                break
            up, down = top - heights[r], bottom - heights[r]
            steepest = up * (per_near if up > 0 else per_far) + SLACK
            flattest = down * (per_near if down < 0 else per_far) - SLACK
            if bands[r, 0] > steepest or bands[r, 1] < flattest:
                continue
            for part in range(2 if end > TURN else 1):
                low = start if part == 0 else 0.0
                high = end - TURN * part
                k = first[r, min(int(low / TURN * bins), bins - 1)]
                last = first[r, bins]
                while k < last and azimuths[k] <= high:
                    inside = azimuths[k] >= low and flattest <= slopes[k] <= steepest
                    if inside and near < distances[k]:
                        distance = hit_distance(corners, heights[r], directions[k])
                        if distance < distances[k]:
                            distances[k], met[k] = distance, f
                    k += 1
    return distances, met
