"""The laser of each point, from the order of the points in the file."""

from __future__ import annotations

import math

import numpy as np

from snellen.errors import UserError
from snellen.vision.arrays import F32, F64, Ints32
from snellen.vision.compilation import read_only

MOST_RINGS = 256
BEFORE_FIRST = math.radians(0.05)
BACK = math.radians(2)
"""The smallest drop of azimuth at which a ring ends; within a ring it hardly ever occurs."""


def azimuths(points: F32) -> F64:
    """The azimuth (N,) of each point in radians, 0 to 2 pi counter-clockwise from +x.

    >>> azimuths(np.array([[0, 2, 0]], dtype=np.float32)).round(4).tolist()
    [1.5708]
    """
    from snellen.vision.lidar.ring_kernels import point_azimuths

    return point_azimuths(read_only(points))


def rings_in_order(points: F32, azimuth: F64 | None = None) -> Ints32:
    """The ring (N,) of each point, from 0, of a cloud stored laser by laser.

    The points of a laser go round once, so a new ring begins where the azimuth falls back by more
    than 2 degrees: measured from +x (as in KITTI's files), from -x or from just before the first
    point, whichever gives the fewest rings. azimuth: (N,) of the points, if already computed.
    """
    from snellen.vision.lidar.ring_kernels import rising_count, turn_numbers, turns_back

    if len(points) < 2:
        raise UserError(f"point cloud: {len(points)} points, too few to recover the beams from.")
    azimuth = azimuths(points) if azimuth is None else azimuth
    way = 1 if 2 * rising_count(azimuth) >= len(azimuth) - 1 else -1
    cuts = np.array([0.0, math.pi, float(azimuth[0]) - way * BEFORE_FIRST]) % (2 * math.pi)
    cut = float(cuts[np.argmin(turns_back(azimuth, cuts, way, BACK))])
    rings = turn_numbers(azimuth, cut, way, BACK)
    if rings[-1] >= MOST_RINGS or len(points) < 4 * (int(rings[-1]) + 1):
        raise UserError(
            f"point cloud: {len(points)} points in {rings[-1] + 1} turns, so they are not stored "
            "laser by laser. Name the sensor (HDL-64E, HDL-32E, OS1-64) instead."
        )
    return rings
