"""Where the sun stands, from the shadows on the ground and the walls that are lit.

Two things tell. What the LiDAR sees around casts shadows: for each place the sun may stand at, the
ground that would be dark is compared with the ground that is. And walls that face the sun are as
bright as the lit ground, those that do not are dark.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from snellen.vision.dense_depth import DenseDepth
from snellen.vision.frames3d import Frames, ImagePoints

Floats = npt.NDArray[np.float64]

AZIMUTHS = np.radians(np.arange(0.0, 360.0, 15.0))
ELEVATIONS = np.radians([25.0, 35.0, 45.0, 55.0])
STEPS = np.geomspace(0.45, 14.0, 18)
CELL = 0.5
LEAST_SCORE = 0.15
WALLS_COUNT = 0.3
FARTHEST = 35.0
PLACES = 700
STRIDE = 6
WALL_BINS = np.radians(np.arange(60.0, 300.0, 30.0))


@dataclass(frozen=True, eq=False)
class Evidence:
    """What a frame shows of its light.

    heights: (n, n) metres of what stands in cells of 0.5 m around the LiDAR, the LiDAR in the
    middle. places: (G, 2) x and y of ground that the camera sees, glow: (G,) how bright it is.
    facing: (W,) azimuth that walls face, wall_glow: (W,) how bright they are. All linear light.
    """

    heights: Floats
    places: Floats
    glow: Floats
    facing: Floats
    wall_glow: Floats


def sun_direction(
    seen: Evidence, lit: float, shaded: float
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


def _shadows(seen: Evidence) -> Floats:
    """(A, E) correlation of where it would be lit with how bright it is."""
    from snellen.vision.rendering.sun_kernels import needed_rises

    if len(seen.places) < 50:
        return np.zeros((len(AZIMUTHS), len(ELEVATIONS)))
    towards = np.column_stack([np.cos(AZIMUTHS), np.sin(AZIMUTHS)])
    rises = needed_rises(seen.heights, seen.places, towards, STEPS, CELL)
    lit = (rises[:, None, :] < np.tan(ELEVATIONS)[:, None]).astype(np.float64)
    glow = np.log(seen.glow + 0.01)
    glow = np.clip(glow, *np.percentile(glow, [3, 97]))
    glow = (glow - glow.mean()) / max(float(glow.std()), 1e-6)
    return np.asarray(
        ((lit - lit.mean(axis=2, keepdims=True)) * glow).mean(axis=2)
        / np.maximum(lit.std(axis=2), 0.1)
    )


def _walls(seen: Evidence, lit: float, shaded: float) -> Floats:
    """(A, E) mean squared difference, in log brightness, of walls to what the sun would make."""
    misfit = np.zeros((len(AZIMUTHS), len(ELEVATIONS)))
    total = 0.0
    straight = (lit - shaded) / np.sin(ELEVATIONS)
    for low in WALL_BINS:
        there = (seen.facing >= low) & (seen.facing < low + np.radians(30.0))
        weight = min(float(there.sum()), 160.0) / 160.0
        if weight < 0.1:
            continue
        glow = np.percentile(seen.wall_glow[there], 75)
        towards = np.cos(low + np.radians(15.0) - AZIMUTHS)[:, None] * np.cos(ELEVATIONS)
        expected = 0.7 * shaded + straight * np.maximum(towards, 0.0) + 0.05 * lit
        misfit += weight * np.log(max(float(glow), 1e-3) / expected) ** 2
        total += weight
    return misfit / max(total, 0.1)


def walls(dense: DenseDepth, frames: Frames) -> tuple[Floats, npt.NDArray[np.int64]]:
    """Azimuths (W,) that upright surfaces face, in [0, 2 pi), and their pixels (W, 2) row, column.

    From the differences of the dense depth over a few pixels, where it is smooth.
    """
    height, width = dense.standing.shape
    across, down = np.arange(8, width - 8, STRIDE), np.arange(8, height - 8, STRIDE)
    rows, columns = np.stack(np.meshgrid(down, across, indexing="ij")).reshape(2, -1)
    near = dense.standing[rows, columns] < FARTHEST + 10
    rows, columns = rows[near], columns[near]
    sides = np.stack([dense.standing[rows + dr, columns + dc] for dr, dc in _SIDES])
    smooth = np.ptp(np.where(np.isinf(sides), 1e9, sides), axis=0) < 1.5
    rows, columns, sides = rows[smooth], columns[smooth], sides[:, smooth]
    right, left, below, above = (
        frames.image_to_lidar(ImagePoints(np.column_stack([columns + dc, rows + dr, depth])))
        for (dr, dc), depth in zip(_SIDES, sides, strict=True)
    )
    normal = np.cross(right - left, above - below)
    normal *= np.where(np.einsum("ij,ij->i", normal, right) > 0, -1.0, 1.0)[:, None]
    upright = np.abs(normal[:, 2]) < 0.5 * np.linalg.norm(normal, axis=1)
    azimuth = np.arctan2(normal[upright, 1], normal[upright, 0]) % (2 * np.pi)
    return azimuth, np.column_stack([rows[upright], columns[upright]])


_SIDES = ((0, 4), (0, -4), (6, 0), (-6, 0))
