"""Compiled loops over the points of a sweep, ring by ring."""

from __future__ import annotations

import math

import numpy as np

from snellen.vision.arrays import F32, F64, Ints, Ints32
from snellen.vision.compilation import compiled

TURN = 2 * math.pi
ENOUGH = 300


@compiled
def point_azimuths(points: F32) -> F64:
    """The azimuth (N,) of points (N, 2 or more) in radians, 0 to 2 pi from +x over +y."""
    angles = np.empty(len(points))
    for i in range(len(points)):
        angle = math.atan2(np.float64(points[i, 1]), np.float64(points[i, 0]))
        angles[i] = angle + TURN if angle < 0 else angle
    return angles


@compiled
def cones(
    rings: Ints32,
    points: F32,
    count: int,
    rounds: int,
    scale: float,
) -> tuple[F64, F64]:
    """The cones z = height + slope * distance from the axis: heights (count,), slopes (count,).

    rings: (N,) ascending, of the points (N, 3 or more). Reweighted least squares of the slope of
    the points as seen from the origin, with weight 1 / (1 + (residual / scale)^2). Of a ring with
    many points, some hundreds of evenly spread ones are used. If all are equally far from the axis,
    the height is undetermined and set to 0.
    """
    heights, slopes = np.zeros(count), np.zeros(count)
    start = 0
    while start < len(rings):
        end, ring = start, rings[start]
        while end < len(rings) and rings[end] == ring:
            end += 1
        step = max(1, (end - start) // ENOUGH)
        chosen = points[start:end:step]
        x, y = np.empty(len(chosen)), np.empty(len(chosen))
        for i in range(len(chosen)):
            away = math.hypot(np.float64(chosen[i, 0]), np.float64(chosen[i, 1]))
            x[i], y[i] = 1 / away, np.float64(chosen[i, 2]) / away
        heights[ring], slopes[ring] = _line(x, y, rounds, scale)
        start = end
    return heights, slopes


@compiled
def _line(x: F64, y: F64, rounds: int, scale: float) -> tuple[float, float]:
    """Slope and intercept of the line through the points x, y (N,), fitted robustly."""
    middle, level = x.mean(), y.mean()  # sums are centred on these to stay small
    rise, start, first = 0.0, 0.0, True
    for _ in range(rounds):
        total, sum_x, sum_y, sum_xx, sum_xy = 0.0, 0.0, 0.0, 0.0, 0.0
        for i in range(len(x)):
            away = 0.0 if first else (y[i] - start - rise * x[i]) / scale
            weight = 1 / (1 + away * away)
            across, up = x[i] - middle, y[i] - level
            total += weight
            sum_x += weight * across
            sum_y += weight * up
            sum_xx += weight * across * across
            sum_xy += weight * across * up
        spread = sum_xx - sum_x * sum_x / total
        known = spread > 1e-8 * total * (middle + sum_x / total) ** 2
        rise = (sum_xy - sum_x * sum_y / total) / spread if known else 0.0
        start = level + sum_y / total - rise * (middle + sum_x / total)
        first = False
    return rise, start


@compiled
def distance_range(points: F32) -> tuple[float, float, float]:
    """The smallest distance of points (N, 3 or more) from the axis, and the smallest and largest
    from the origin.
    """
    beside, near, far = np.inf, np.inf, 0.0
    for i in range(len(points)):
        x, y, z = np.float64(points[i, 0]), np.float64(points[i, 1]), np.float64(points[i, 2])
        level = x * x + y * y
        beside = min(beside, level)
        near, far = min(near, level + z * z), max(far, level + z * z)
    return math.sqrt(beside), math.sqrt(near), math.sqrt(far)


@compiled
def phases(rings: Ints32, azimuth: F64, step: float, count: int) -> F64:
    """The mean offset (count,) of the azimuths of each ring from whole steps, a circular mean.

    rings: (N,) ascending. Of a ring with many points, some hundreds of evenly spread ones are used.
    """
    east, north, start = np.zeros(count), np.zeros(count), 0
    while start < len(rings):
        end, ring = start, rings[start]
        while end < len(rings) and rings[end] == ring:
            end += 1
        for i in range(start, end, max(1, (end - start) // ENOUGH)):
            angle = TURN * azimuth[i] / step
            east[ring] += math.cos(angle)
            north[ring] += math.sin(angle)
        start = end
    return np.mod(np.arctan2(north, east) * step / TURN, step)


@compiled
def turns_back(azimuth: F64, cuts: F64, way: int, least: float) -> Ints:
    """How often (C,) the azimuths fall back by more than `least`, measured from each cut."""
    counts = np.zeros(len(cuts), dtype=np.int64)
    for c in range(len(cuts)):
        before = 0.0
        for i in range(len(azimuth)):
            here = azimuth[i] - cuts[c]
            here = here + TURN if here < 0 else here
            counts[c] += i > 0 and way * (here - before) < -least
            before = here
    return counts


@compiled
def rising_count(azimuth: F64) -> int:
    """The number of azimuths (N,) that are not below the one before."""
    count = 0
    for i in range(1, len(azimuth)):
        count += azimuth[i] >= azimuth[i - 1]
    return count


@compiled
def turn_numbers(azimuth: F64, cut: float, way: int, least: float) -> Ints32:
    """The number (N,) of the turn of each point, from 0; a turn ends as in `turns_back`."""
    turns = np.empty(len(azimuth), dtype=np.int32)
    turn, before = 0, azimuth[0] - cut
    before = before + TURN if before < 0 else before
    for i in range(len(azimuth)):
        here = azimuth[i] - cut
        here = here + TURN if here < 0 else here
        turn += way * (here - before) < -least
        turns[i], before = turn, here
    return turns


@compiled
def azimuth_steps(rings: Ints32, azimuth: F64, stride: int) -> F64:
    """The azimuth (K,) between neighbours of a ring, for every stride-th point and the next.

    Equal azimuths and pairs across a cut are left out.
    """
    found = np.empty(len(azimuth) // stride + 1)
    count = 0
    for i in range(0, len(azimuth) - 1, stride):
        between = abs(azimuth[i + 1] - azimuth[i])
        if rings[i + 1] == rings[i] and 1e-6 < between < math.pi:
            found[count] = between
            count += 1
    return found[:count]
