"""The beams of a spinning LiDAR, from a data sheet or recovered from the points of a frame."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from snellen.errors import UserError
from snellen.vision.arrays import F32, F64, Ints32
from snellen.vision.compilation import read_only
from snellen.vision.lidar.rings import azimuths, rings_in_order

FITTING_ROUNDS = 6
FITTING_SCALE = math.radians(0.02)
BLIND = math.radians(10)
ENOUGH = 30_000
SECTORS = 72
"""Each half as wide as BLIND, so that a blind sector leaves one of them empty."""


@dataclass(frozen=True, eq=False)
class BeamModel:
    """The beams of a spinning LiDAR: one laser per ring, in the order of the file.

    Radians and metres in the LiDAR frame (x forward, y left, z up). Laser r is at
    (0, 0, heights[r]) and points elevations[r] above the horizon, at azimuths phases[r] + k * step
    counter-clockwise from +x. There are no returns nearer than `nearest`, beyond `farthest`, or
    outside the azimuths from view[0] counter-clockwise to view[1]. The lasers of a real sensor are
    also a few centimetres off its axis; this is ignored.

    >>> sensor = BeamModel(np.radians([1.0, -1.0]), np.zeros(2), math.radians(90), np.zeros(2))
    >>> sensor.columns
    4
    """

    elevations: F64
    heights: F64
    step: float
    phases: F64
    nearest: float = 0.5
    farthest: float = 120.0
    view: tuple[float, float] = (0.0, 2 * math.pi)

    def __post_init__(self) -> None:
        sizes = {self.elevations.shape, self.heights.shape, self.phases.shape}
        if len(sizes) != 1 or self.elevations.ndim != 1 or not len(self.elevations):
            raise UserError(
                f"beam model: elevations, heights and phases have the shapes {sorted(sizes)}, "
                "expected one number per ring in each."
            )
        if not 0 < self.step <= 2 * math.pi or not 0 <= self.nearest < self.farthest:
            raise UserError(
                f"beam model: azimuth step {self.step}, range {self.nearest} to {self.farthest}; "
                "expected a step above 0 in radians, and 0 <= nearest < farthest in metres."
            )

    @property
    def columns(self) -> int:
        """The number of beams of a ring in one turn."""
        return max(1, round(2 * math.pi / self.step))


def recovered_beams(
    points: F32, rings: Ints32 | None = None, azimuth: F64 | None = None
) -> BeamModel:
    """The beam model of a frame, recovered from its points (N, 3 or more) in the file's order.

    The points of a laser lie on a cone, z = height + tan(elevation) * distance from the axis, which
    is fitted robustly to each ring. The range is that of the points. rings, azimuth: (N,) of the
    points, if already computed; rings as from `rings_in_order`.
    """
    from snellen.vision.lidar.ring_kernels import cones, distance_range, phases

    points = read_only(points)
    azimuth = azimuths(points) if azimuth is None else azimuth
    rings = rings_in_order(points, azimuth) if rings is None else rings
    beside, near, far = distance_range(points)
    if beside <= 0:
        raise UserError("point cloud: a point lies on the sensor's axis (x = y = 0). Drop it.")
    count, step = int(rings[-1]) + 1, _step(rings, azimuth)
    heights, slopes = cones(rings, points, count, FITTING_ROUNDS, FITTING_SCALE)
    return BeamModel(
        np.arctan(slopes),
        heights,
        step,
        phases(rings, azimuth, step, count),
        near * (1 - 1e-6),
        far * (1 + 1e-6),
        _view(azimuth, step),
    )


def nearest_rings(points: F32, beams: BeamModel) -> Ints32:
    """The ring (N,) whose cone is nearest to each point, for clouds in any order."""
    across = np.hypot(*points[:, :2].astype(np.float64).T)
    best = np.full(len(points), np.inf)
    rings = np.zeros(len(points), dtype=np.int32)
    for ring, (elevation, height) in enumerate(zip(beams.elevations, beams.heights, strict=True)):
        away = np.abs(np.arctan2(points[:, 2] - height, across) - elevation)
        nearer = away < best
        best[nearer], rings[nearer] = away[nearer], ring
    return rings


def _view(azimuth: F64, step: float) -> tuple[float, float]:
    """The azimuths with points: all, unless a sector of BLIND or more has none in any ring."""
    some = azimuth[:: max(1, len(azimuth) // ENOUGH)]
    filled = np.bincount((some * (SECTORS / (2 * math.pi))).astype(np.int64), minlength=SECTORS)
    if filled[:SECTORS].all():
        return 0.0, 2 * math.pi
    angles = np.sort(azimuth)
    between = np.diff(angles, append=angles[0] + 2 * math.pi)
    widest = int(np.argmax(between))
    if between[widest] < BLIND:
        return 0.0, 2 * math.pi
    low = float(angles[(widest + 1) % len(angles)]) - step / 2
    return low, low + 2 * math.pi - float(between[widest]) + step


def _step(rings: Ints32, azimuth: F64) -> float:
    """The azimuth between neighbours: the whole fraction of a turn nearest to the median.

    Of many points, some ten thousand evenly spread ones are used.
    """
    from snellen.vision.lidar.ring_kernels import azimuth_steps

    between = azimuth_steps(rings, azimuth, max(1, len(azimuth) // ENOUGH))
    if not len(between):
        raise UserError("point cloud: no ring has two points. Name the sensor instead.")
    return 2 * math.pi / round(2 * math.pi / float(np.median(between)))
