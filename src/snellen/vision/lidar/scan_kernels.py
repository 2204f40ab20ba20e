"""Compiled loops that compute the rays of a sweep."""

from __future__ import annotations

import math

import numpy as np

from snellen.vision.arrays import F32, F64, Ints, Ints32
from snellen.vision.compilation import compiled

Beams = tuple[Ints32, Ints, F64, F64]
Sensor = tuple[tuple[float, float], float, F64, F64, F64, int]

TURN = 2 * math.pi
ON_AXIS = 1e-18


@compiled
def missing_beams(azimuth: F64, order: Ints, ends: Ints, step: float) -> Ints32:
    """The number (N,) int32 of beams without a return between each point and the next of its ring.

    azimuth: (N,) in the file's order; order: (N,) the rows by ring and azimuth; ends: (R + 1,)
    where in `order` each ring begins. The last point of a ring is followed by the first.
    """
    missing = np.zeros(len(order), dtype=np.int32)
    for ring in range(len(ends) - 1):
        for i in range(ends[ring], ends[ring + 1]):
            missing[i] = max(round(_between(azimuth, order, ends, ring, i) / step) - 1, 0)
    return missing


@compiled
def _between(azimuth: F64, order: Ints, ends: Ints, ring: int, i: int) -> float:
    here = azimuth[order[i]]
    if i + 1 < ends[ring + 1]:
        return float(azimuth[order[i + 1]] - here)
    return float(azimuth[order[ends[ring]]] + TURN - here)


@compiled
def fill_rays(
    cloud: F32,
    azimuth: F64,
    order: Ints,
    ends: Ints,
    missing: Ints32,
    sensor: Sensor,
    edges: F64,
    beams: Beams,
    lines: tuple[F64, F64, F64],
) -> tuple[int, F64, Ints]:
    """Fill the arrays of the rays, by ring and azimuth; returns their number, bands and first rays.

    cloud: (N, 3 or more). sensor: field of view and azimuth step; phase, height and slope of silent
    beams of each ring; and number of beams per turn. beams: ring, point, place and azimuth; lines:
    slope, direction and reach, each (K, ...) with room for all rays. Bands are the smallest and
    largest slope (R, 2) of each ring, first (R, B + 1) the first ray at or after each of the
    ascending edges of azimuth (B + 1,); a ring without rays has an empty band. Each ring is
    completed before the next, as all rays together do not fit into the CPU cache.
    """
    view, step, phases, heights, levels, columns = sensor
    count = len(ends) - 1
    bands, first = np.empty((count, 2)), np.empty((count, len(edges)), dtype=np.int64)
    k = int(ends[0])  # 0; a literal would have its own type, compiled separately
    for ring in range(count):
        start = k
        if ends[ring] == ends[ring + 1]:
            k = _fill_silent_ring(ring, len(order), view, phases[ring], step, columns, beams, k)
        else:
            k = _fill_ring(ring, azimuth, order, ends, missing, view, beams, k)
        _fill_directions(cloud, start, k, beams, heights[ring], levels[ring], lines)
        _fill_lookup(start, k, beams[3], lines[0], edges, bands[ring], first[ring])
    return k, bands, first


@compiled
def _fill_ring(
    ring: int,
    azimuth: F64,
    order: Ints,
    ends: Ints,
    missing: Ints32,
    view: tuple[float, float],
    beams: Beams,
    k: int,
) -> int:
    rings, points, places, around = beams
    start, end = ends[ring], ends[ring + 1]
    last = end - 1
    between, count = _between(azimuth, order, ends, ring, last), missing[last]
    tail, head = azimuth[order[last]], order[start]
    wrapped = 0
    for n in range(count, 0, -1):
        wrapped += tail + between * n / (count + 1) >= TURN
    for n in range(count - wrapped + 1, count + 1):
        angle = (tail + between * n / (count + 1)) % TURN
        k = _add_silent_ray(ring, angle, head - 0.5, view, beams, k)
    for i in range(start, end):
        rings[k], points[k], places[k] = ring, order[i], order[i]
        around[k] = azimuth[order[i]]
        k += 1
        if missing[i]:
            between = _between(azimuth, order, ends, ring, i)
            there = missing[i] - (wrapped if i == last else 0)
            for n in range(1, there + 1):
                angle = azimuth[order[i]] + between * n / (missing[i] + 1)
                k = _add_silent_ray(ring, angle, order[i] + 0.5, view, beams, k)
    return k


@compiled
def _fill_silent_ring(
    ring: int,
    size: int,
    view: tuple[float, float],
    phase: float,
    step: float,
    columns: int,
    beams: Beams,
    k: int,
) -> int:
    angles = _sorted_angles(phase, step, columns)
    for n in range(columns):
        k = _add_silent_ray(ring, angles[n], size - 0.5, view, beams, k)
    return k


@compiled
def _sorted_angles(phase: float, step: float, columns: int) -> F64:
    """(columns,) the azimuths of the beams of a ring, ascending."""
    around, angles, least = np.empty(columns), np.empty(columns), 0
    for n in range(columns):
        around[n] = (phase + n * step) % TURN
        least = n if around[n] < around[least] else least
    for n in range(columns):
        angle, place = around[(least + n) % columns], n
        while place > 0 and angles[place - 1] > angle:
            angles[place] = angles[place - 1]
            place -= 1
        angles[place] = angle
    return angles


@compiled
def _add_silent_ray(
    ring: int,
    angle: float,
    place: float,
    view: tuple[float, float],
    beams: Beams,
    k: int,
) -> int:
    low, high = view
    if high - low < TURN and (angle - low) % TURN > high - low:
        return k
    rings, points, places, around = beams
    rings[k], points[k], places[k], around[k] = ring, -1, place, angle
    return k + 1


@compiled
def _fill_directions(
    cloud: F32,
    start: int,
    end: int,
    beams: Beams,
    height: float,
    level: float,
    lines: tuple[F64, F64, F64],
) -> None:
    _, points, _, around = beams
    slopes, directions, reach = lines
    for k in range(start, end):
        if points[k] < 0:
            length = math.sqrt(1 + level * level)
            directions[k, 0] = math.cos(around[k]) / length
            directions[k, 1] = math.sin(around[k]) / length
            directions[k, 2] = level / length
            slopes[k], reach[k] = level, np.inf
        else:
            x, y = np.float64(cloud[points[k], 0]), np.float64(cloud[points[k], 1])
            z = np.float64(cloud[points[k], 2]) - height
            beside = max(x * x + y * y, ON_AXIS)
            reach[k] = math.sqrt(beside + z * z)
            per = 1 / reach[k]
            directions[k, 0], directions[k, 1], directions[k, 2] = x * per, y * per, z * per
            slopes[k] = z / math.sqrt(beside)


@compiled
def _fill_lookup(
    start: int,
    end: int,
    azimuths: F64,
    slopes: F64,
    edges: F64,
    band: F64,
    first: Ints,
) -> None:
    least, greatest, edge, bins = np.inf, -np.inf, 0, len(edges) - 1
    for k in range(start, end):
        while edge < bins and edges[edge] <= azimuths[k]:
            first[edge] = k
            edge += 1
        least, greatest = min(least, slopes[k]), max(greatest, slopes[k])
    first[edge:] = end
    band[0], band[1] = least, greatest
