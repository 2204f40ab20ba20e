"""Compiled loops over the points of a sweep, ring by ring."""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt

from snellen.vision.compiled import compiled

Floats = npt.NDArray[np.float64]

TURN = 2 * math.pi
ENOUGH = 256


@compiled
def cones(
    rings: npt.NDArray[np.int32], x: Floats, y: Floats, count: int, rounds: int, scale: float
) -> tuple[Floats, Floats]:
    """The lines y = slope + height * x of each ring: heights (count,) and slopes (count,).

    rings: (N,) rising. Reweighted least squares with the weight 1 / (1 + (residual / scale)^2).
    Where the x of a ring are all alike its height is open, and taken to be 0.
    """
    heights, slopes = np.zeros(count), np.zeros(count)
    start = 0
    while start < len(rings):
        end, ring = start, rings[start]
        while end < len(rings) and rings[end] == ring:
            end += 1
        heights[ring], slopes[ring] = _cone(x[start:end], y[start:end], rounds, scale)
        start = end
    return heights, slopes


@compiled
def _cone(x: Floats, y: Floats, rounds: int, scale: float) -> tuple[float, float]:
    middle, level = x.mean(), y.mean()  # sums are taken around these, so that none is large
    height, slope, first = 0.0, 0.0, True
    for _ in range(rounds):
        total, sum_x, sum_y, sum_xx, sum_xy = 0.0, 0.0, 0.0, 0.0, 0.0
        for i in range(len(x)):
            away = 0.0 if first else (y[i] - slope - height * x[i]) / scale
            weight = 1 / (1 + away * away)
            across, up = x[i] - middle, y[i] - level
            total += weight
            sum_x += weight * across
            sum_y += weight * up
            sum_xx += weight * across * across
            sum_xy += weight * across * up
        spread = sum_xx - sum_x * sum_x / total
        known = spread > 1e-8 * total * (middle + sum_x / total) ** 2
        height = (sum_xy - sum_x * sum_y / total) / spread if known else 0.0
        slope = level + sum_y / total - height * (middle + sum_x / total)
        first = False
    return height, slope


@compiled
def phases(rings: npt.NDArray[np.int32], azimuth: Floats, step: float, count: int) -> Floats:
    """The mean offset (count,) of each ring's azimuths from whole steps, as angles on a circle.

    rings: (N,) rising. Of a ring with many points some hundreds, evenly spread, tell it.
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
def turns_back(azimuth: Floats, cuts: Floats, way: int, least: float) -> npt.NDArray[np.int64]:
    """How often (C,) the azimuths fall back by more than the least, counted from each cut."""
    counts = np.zeros(len(cuts), dtype=np.int64)
    for c in range(len(cuts)):
        before = 0.0
        for i in range(len(azimuth)):
            here = azimuth[i] - cuts[c]
            here = here + TURN if here < 0 else here
            counts[c] += i > 0 and way * (here - before) < -least
            before = here
    return counts
