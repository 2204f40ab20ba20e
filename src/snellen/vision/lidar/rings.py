"""Which laser a point came from, told by the order of the points in the file."""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt

from snellen.errors import UserError

Rings = npt.NDArray[np.int32]

MOST_RINGS = 256


def azimuths(points: npt.NDArray[np.float32]) -> npt.NDArray[np.float64]:
    """The azimuth (N,) of each point in radians, 0 to 2 pi counter-clockwise from +x.

    >>> azimuths(np.array([[0, 2, 0]], dtype=np.float32)).round(4).tolist()
    [1.5708]
    """
    x, y = points[:, :2].astype(np.float64).T
    angle = np.arctan2(y, x)
    return np.where(angle < 0, angle + 2 * math.pi, angle)


def rings_in_order(points: npt.NDArray[np.float32]) -> Rings:
    """The ring (N,) of each point, from 0, of a cloud written one laser after the other.

    Each laser's points go round once, so a new ring begins where the azimuth falls back by more
    than half a turn: seen from +x (as in KITTI's files) or from -x, whichever cuts less.
    """
    if len(points) < 2:
        raise UserError(f"point cloud: {len(points)} points, too few to recover the beams from.")
    from_front = azimuths(points)
    from_back = np.mod(from_front + math.pi, 2 * math.pi)
    rings = min((_turns(angle) for angle in (from_front, from_back)), key=lambda turn: turn[-1])
    if rings[-1] >= MOST_RINGS or len(points) < 4 * (int(rings[-1]) + 1):
        raise UserError(
            f"point cloud: {len(points)} points in {rings[-1] + 1} turns, so they are not written "
            "one laser after the other. Name the sensor (HDL-64E, HDL-32E, OS1-64) instead."
        )
    return rings


def _turns(angle: npt.NDArray[np.float64]) -> Rings:
    between = np.diff(angle)
    way = -1.0 if np.median(between) < 0 else 1.0
    return np.concatenate([[0], np.cumsum(way * between < -math.pi)]).astype(np.int32)
