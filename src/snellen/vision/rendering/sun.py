"""The direction of the sun, from shadows on the ground and lit walls.

There are two kinds of evidence. Objects in the LiDAR sweep cast shadows: for each candidate
direction, the ground that would be dark is compared with the ground that is. And walls that face
the sun are as bright as lit ground, others are dark.
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
WALL_WEIGHT = 0.3
FARTHEST = 35.0
PLACES = 700
STRIDE = 6
SMOOTH = 1.5
"""The largest difference in depth around a pixel of a wall, metres."""
WALL_BINS = np.radians(np.arange(60.0, 300.0, 30.0))


@dataclass(frozen=True, eq=False)
class SunEvidence:
    """The evidence of the sun in a frame.

    heights: (n, n) metres of objects in cells of 0.5 m, with the LiDAR in the middle. places:
    (G, 2) x and y of ground in the image, brightness: (G,) of it. facing: (W,) azimuth that walls
    face, wall_brightness: (W,) of them. All linear light.
    """

    heights: F64
    places: F64
    brightness: F64
    facing: F64
    wall_brightness: F64


def sun_direction(
    evidence: SunEvidence, lit: float, shaded: float
) -> tuple[tuple[float, float, float], float] | None:
    """Unit vector to the sun in the LiDAR frame and a score up to 1, or None without evidence.

    lit, shaded: brightness of the ground in sun and shade.
    """
    score = _shadows(evidence) - WALL_WEIGHT * _walls(evidence, lit, shaded)
    azimuth, elevation = np.unravel_index(np.argmax(score), score.shape)
    if not score[azimuth, elevation] >= LEAST_SCORE:
        return None
    around, up = AZIMUTHS[azimuth], ELEVATIONS[elevation]
    direction = np.cos(up) * np.cos(around), np.cos(up) * np.sin(around), np.sin(up)
    return (float(direction[0]), float(direction[1]), float(direction[2])), float(score.max())


def _shadows(evidence: SunEvidence) -> F64:
    """(A, E) correlation of the ground that would be lit with its brightness."""
    from snellen.vision.rendering.sun_kernels import shadow_scores

    if len(evidence.places) < 50:
        return np.zeros((len(AZIMUTHS), len(ELEVATIONS)))
    towards = np.column_stack([np.cos(AZIMUTHS), np.sin(AZIMUTHS)])
    glow = np.log(evidence.brightness + 0.01)
    glow = np.clip(glow, percentile(glow, 3), percentile(glow, 97))
    glow = (glow - glow.mean()) / max(float(glow.std()), 1e-6)
    rises = np.tan(ELEVATIONS)
    return np.asarray(
        shadow_scores(evidence.heights, evidence.places, glow, towards, rises, STEPS, CELL)
    )


def _walls(evidence: SunEvidence, lit: float, shaded: float) -> F64:
    """(A, E) mean squared difference, in log brightness, of walls from what the sun predicts."""
    misfit = np.zeros((len(AZIMUTHS), len(ELEVATIONS)))
    total = 0.0
    straight = (lit - shaded) / np.sin(ELEVATIONS)
    for low in WALL_BINS:
        there = (evidence.facing >= low) & (evidence.facing < low + np.radians(30.0))
        weight = min(float(there.sum()), 160.0) / 160.0
        if weight < 0.1:
            continue
        glow = percentile(evidence.wall_brightness[there], 75)
        towards = np.cos(low + np.radians(15.0) - AZIMUTHS)[:, None] * np.cos(ELEVATIONS)
        expected = 0.7 * shaded + straight * np.maximum(towards, 0.0) + 0.05 * lit
        misfit += weight * np.log(max(glow, 1e-3) / expected) ** 2
        total += weight
    return misfit / max(total, 0.1)


def walls(dense: DenseDepth, frames: CoordinateFrames) -> tuple[F64, Ints]:
    """Azimuths (W,) that upright surfaces face, in [0, 2 pi), and their pixels (W, 2) row, column.

    From differences of the dense depth over a few pixels, where it is smooth.
    """
    from snellen.vision.rendering.sun_kernels import wall_azimuths

    lens = frames.projection
    turn = frames.lidar_from_camera[:3, :3] @ np.linalg.inv(lens[:, :3])
    shift = frames.lidar_from_camera[:3, 3] - turn @ lens[:, 3]
    back = np.ascontiguousarray(np.column_stack([turn, shift]))
    azimuths, pixels = wall_azimuths(dense.standing, back, STRIDE, FARTHEST + 10, SMOOTH)
    return azimuths, pixels
