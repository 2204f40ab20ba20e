"""Compiled loops that lay out the rays of a sweep."""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt

from snellen.vision.compiled import compiled

Floats = npt.NDArray[np.float64]
Indices = npt.NDArray[np.int64]

TURN = 2 * math.pi
ON_AXIS = 1e-18


@compiled
def gaps(azimuth: Floats, order: Indices, ends: Indices, step: float) -> npt.NDArray[np.int32]:
    """How many beams (N,) int32 met nothing after each point, before the next of its ring.

    azimuth: (N,) in the file's order; order: (N,) the rows by ring and azimuth; ends: (R + 1,)
    where in `order` each ring begins. The last point of a ring has the first one after it.
    """
    missing = np.zeros(len(order), dtype=np.int32)
    for ring in range(len(ends) - 1):
        for i in range(ends[ring], ends[ring + 1]):
            missing[i] = max(round(_between(azimuth, order, ends, ring, i) / step) - 1, 0)
    return missing


@compiled
def _between(azimuth: Floats, order: Indices, ends: Indices, ring: int, i: int) -> float:
    here = azimuth[order[i]]
    if i + 1 < ends[ring + 1]:
        return float(azimuth[order[i + 1]] - here)
    return float(azimuth[order[ends[ring]]] + TURN - here)


@compiled
def laid_out(
    azimuth: Floats,
    order: Indices,
    ends: Indices,
    missing: npt.NDArray[np.int32],
    view: tuple[float, float],
    phases: Floats,
    step: float,
    columns: int,
    beams: tuple[npt.NDArray[np.int32], Indices, Floats, Floats],
) -> int:
    """Fills ring, point, place and azimuth of each ray, ring after ring by azimuth; how many.

    beams: (K,) arrays, long enough for all rays.
    """
    rings, points, places, around = beams
    k = 0
    for ring in range(len(ends) - 1):
        start, end = ends[ring], ends[ring + 1]
        if start == end:
            k = _silent_ring(ring, len(order), view, phases[ring], step, columns, beams, k)
            continue
        last = end - 1
        between, count = _between(azimuth, order, ends, ring, last), missing[last]
        tail, head = azimuth[order[last]], order[start]
        wrapped = 0
        for n in range(count, 0, -1):
            wrapped += tail + between * n / (count + 1) >= TURN
        for n in range(count - wrapped + 1, count + 1):
            angle = (tail + between * n / (count + 1)) % TURN
            k = _silent(ring, angle, head - 0.5, view, beams, k)
        for i in range(start, end):
            rings[k], points[k], places[k] = ring, order[i], order[i]
            around[k] = azimuth[order[i]]
            k += 1
            if missing[i]:
                between = _between(azimuth, order, ends, ring, i)
                there = missing[i] - (wrapped if i == last else 0)
                for n in range(1, there + 1):
                    angle = azimuth[order[i]] + between * n / (missing[i] + 1)
                    k = _silent(ring, angle, order[i] + 0.5, view, beams, k)
    return k


@compiled
def _silent_ring(
    ring: int,
    size: int,
    view: tuple[float, float],
    phase: float,
    step: float,
    columns: int,
    beams: tuple[npt.NDArray[np.int32], Indices, Floats, Floats],
    k: int,
) -> int:
    angles = np.sort((phase + np.arange(columns) * step) % TURN)
    for angle in angles:
        k = _silent(ring, angle, size - 0.5, view, beams, k)
    return k


@compiled
def _silent(
    ring: int,
    angle: float,
    place: float,
    view: tuple[float, float],
    beams: tuple[npt.NDArray[np.int32], Indices, Floats, Floats],
    k: int,
) -> int:
    low, high = view
    if high - low < TURN and (angle - low) % TURN > high - low:
        return k
    rings, points, places, around = beams
    rings[k], points[k], places[k], around[k] = ring, -1, place, angle
    return k + 1


@compiled
def aimed(
    cloud: npt.NDArray[np.float32],
    rings: npt.NDArray[np.int32],
    points: Indices,
    azimuths: Floats,
    heights: Floats,
    levels: Floats,
    rays: tuple[Floats, Floats, Floats],
) -> None:
    """Fills slopes (K,), directions (K, 3) and reach (K,) of the rays.

    cloud: (N, 3 or more). levels: the slope of each ring's silent beams.
    """
    slopes, directions, reach = rays
    for k in range(len(rings)):
        if points[k] < 0:
            slope = levels[rings[k]]
            length = math.sqrt(1 + slope * slope)
            directions[k, 0] = math.cos(azimuths[k]) / length
            directions[k, 1] = math.sin(azimuths[k]) / length
            directions[k, 2] = slope / length
            slopes[k], reach[k] = slope, np.inf
        else:
            x, y = np.float64(cloud[points[k], 0]), np.float64(cloud[points[k], 1])
            z = np.float64(cloud[points[k], 2]) - heights[rings[k]]
            level = max(x * x + y * y, ON_AXIS)
            reach[k] = math.sqrt(level + z * z)
            per = 1 / reach[k]
            directions[k, 0], directions[k, 1], directions[k, 2] = x * per, y * per, z * per
            slopes[k] = z / math.sqrt(level)


@compiled
def looked_up(
    rings: npt.NDArray[np.int32], azimuths: Floats, slopes: Floats, count: int, edges: Floats
) -> tuple[Floats, Indices]:
    """The least and greatest slope (count, 2) of each ring, and the first ray (count, B + 1) at or
    after each edge of azimuth; a ring without rays has an empty band. edges: (B + 1,) rising.
    """
    bands = np.empty((count, 2))
    bands[:, 0], bands[:, 1] = np.inf, -np.inf
    first = np.empty((count, len(edges)), dtype=np.int64)
    k, bins = 0, len(edges) - 1
    for ring in range(count):
        edge = 0
        while k < len(rings) and rings[k] == ring:
            while edge < bins and edges[edge] <= azimuths[k]:
                first[ring, edge] = k
                edge += 1
            bands[ring, 0] = min(bands[ring, 0], slopes[k])
            bands[ring, 1] = max(bands[ring, 1], slopes[k])
            k += 1
        first[ring, edge:] = k
    return bands, first
