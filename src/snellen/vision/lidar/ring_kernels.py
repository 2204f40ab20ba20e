"""Compiled loops over the points of a sweep, ring by ring."""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt

from snellen.vision.compiled import compiled

Floats = npt.NDArray[np.float64]


@compiled
def cones(
    rings: npt.NDArray[np.int32], x: Floats, y: Floats, count: int, rounds: int, scale: float
) -> tuple[Floats, Floats]:
    """The lines y = slope + height * x of each ring: heights (count,) and slopes (count,).

    Reweighted least squares with the weight 1 / (1 + (residual / scale)^2). Where the x of a ring
    are all alike its height is open, and taken to be 0.
    """
    heights, slopes, total = np.zeros(count), np.zeros(count), np.zeros(count)
    means, sums = np.zeros((2, count)), np.zeros((2, count))
    weight = np.ones(len(x))
    for _ in range(rounds):
        total[:] = 0
        means[:] = 0
        sums[:] = 0
        for i in range(len(x)):
            total[rings[i]] += weight[i]
            means[0, rings[i]] += weight[i] * x[i]
            means[1, rings[i]] += weight[i] * y[i]
        means /= total
        for i in range(len(x)):
            apart = x[i] - means[0, rings[i]]
            sums[0, rings[i]] += weight[i] * apart * apart
            sums[1, rings[i]] += weight[i] * apart * (y[i] - means[1, rings[i]])
        for r in range(count):
            known = sums[0, r] > 1e-8 * total[r] * means[0, r] ** 2
            heights[r] = sums[1, r] / sums[0, r] if known else 0.0
            slopes[r] = means[1, r] - heights[r] * means[0, r]
        for i in range(len(x)):
            away = (y[i] - slopes[rings[i]] - heights[rings[i]] * x[i]) / scale
            weight[i] = 1 / (1 + away * away)
    return heights, slopes


@compiled
def phases(rings: npt.NDArray[np.int32], azimuth: Floats, step: float, count: int) -> Floats:
    """The mean offset (count,) of each ring's azimuths from whole steps, as angles on a circle."""
    east, north = np.zeros(count), np.zeros(count)
    for i in range(len(azimuth)):
        angle = 2 * math.pi * azimuth[i] / step
        east[rings[i]] += math.cos(angle)
        north[rings[i]] += math.sin(angle)
    return np.mod(np.arctan2(north, east) * step / (2 * math.pi), step)
