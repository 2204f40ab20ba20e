"""Where the sun stands, from the shadows on the ground and the walls that are lit.

Two things tell. What the LiDAR sees around casts shadows: for each place the sun may stand at, the
ground that would be dark is compared with the ground that is. And walls that face the sun are as
bright as the lit ground, those that do not are dark.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from snellen.vision.arrays import F64, Ints
from snellen.vision.lidar.dense_depth import DenseDepth
from snellen.vision.rendering.percentiles import percentile
from snellen.vision.solids.coordinate_frames import CoordinateFrames

AZIMUTHS = np.radians(np.arange(0.0, 360.0, 15.0))
ELEVATIONS = np.radians([25.0, 35.0, 45.0, 55.0])
STEPS = np.geomspace(0.45, 14.0, 18)
CELL = 0.5
LEAST_SCORE = 0.15
WALLS_COUNT = 0.3
FARTHEST = 35.0
PLACES = 700
STRIDE = 6
SMOOTH = 1.5
"""Metres that the depth may differ by around a pixel of one wall."""
WALL_BINS = np.radians(np.arange(60.0, 300.0, 30.0))


@dataclass(frozen=True, eq=False)
class SunEvidence:
    """What a frame shows of its light.

    heights: (n, n) metres of what stands in cells of 0.5 m around the LiDAR, the LiDAR in the
    middle. places: (G, 2) x and y of ground that the camera sees, glow: (G,) how bright it is.
    facing: (W,) azimuth that walls face, wall_glow: (W,) how bright they are. All linear light.
    """

    heights: F64
    places: F64
    glow: F64
    facing: F64
    wall_glow: F64


def sun_direction(
    seen: SunEvidence, lit: float, shaded: float
) -> tuple[tuple[float, float, float], float] | None:
    """Unit vector to the sun in the LiDAR frame and a score up to 1, or None where nothing tells.

    lit, shaded: the ground's brightness in the sun and in the shade.
    """
    score = _shadows(seen) - WALLS_COUNT * _walls(seen, lit, shaded)
    azimuth, elevation = np.unravel_index(np.argmax(score), score.shape)
    if not score[azimuth, elevation] >= LEAST_SCORE:
        return None
    around, up = AZIMUTHS[azimuth], ELEVATIONS[elevation]
    direction = np.cos(up) * np.cos(around), np.cos(up) * np.sin(around), np.sin(up)
    return (float(direction[0]), float(direction[1]), float(direction[2])), float(score.max())


def _shadows(seen: SunEvidence) -> F64:
    """(A, E) correlation of where it would be lit with how bright it is."""
    from snellen.vision.rendering.sun_kernels import fitting_shadows

    if len(seen.places) < 50:
        return np.zeros((len(AZIMUTHS), len(ELEVATIONS)))
    towards = np.column_stack([np.cos(AZIMUTHS), np.sin(AZIMUTHS)])
    glow = np.log(seen.glow + 0.01)
    glow = np.clip(glow, percentile(glow, 3), percentile(glow, 97))
    glow = (glow - glow.mean()) / max(float(glow.std()), 1e-6)
    rises = np.tan(ELEVATIONS)
    return np.asarray(fitting_shadows(seen.heights, seen.places, glow, towards, rises, STEPS, CELL))


def _walls(seen: SunEvidence, lit: float, shaded: float) -> F64:
    """(A, E) mean squared difference, in log brightness, of walls to what the sun would make."""
    misfit = np.zeros((len(AZIMUTHS), len(ELEVATIONS)))
    total = 0.0
    straight = (lit - shaded) / np.sin(ELEVATIONS)
    for low in WALL_BINS:
        there = (seen.facing >= low) & (seen.facing < low + np.radians(30.0))
        weight = min(float(there.sum()), 160.0) / 160.0
        if weight < 0.1:
            continue
        glow = percentile(seen.wall_glow[there], 75)
        towards = np.cos(low + np.radians(15.0) - AZIMUTHS)[:, None] * np.cos(ELEVATIONS)
        expected = 0.7 * shaded + straight * np.maximum(towards, 0.0) + 0.05 * lit
        misfit += weight * np.log(max(glow, 1e-3) / expected) ** 2
        total += weight
    return misfit / max(total, 0.1)


def walls(dense: DenseDepth, frames: CoordinateFrames) -> tuple[F64, Ints]:
    """Azimuths (W,) that upright surfaces face, in [0, 2 pi), and their pixels (W, 2) row, column.

    From the differences of the dense depth over a few pixels, where it is smooth.
    """
    from snellen.vision.rendering.sun_kernels import faces

    lens = frames.projection
    turn = frames.lidar_from_camera[:3, :3] @ np.linalg.inv(lens[:, :3])
    shift = frames.lidar_from_camera[:3, 3] - turn @ lens[:, 3]
    back = np.ascontiguousarray(np.column_stack([turn, shift]))
    azimuths, pixels = faces(dense.standing, back, STRIDE, FARTHEST + 10, SMOOTH)
    return azimuths, pixels
