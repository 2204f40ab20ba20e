"""All rays of one sweep: those that came back as points, and those that met nothing."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from snellen.vision.lidar.beams import BeamModel
from snellen.vision.lidar.rings import Rings, azimuths

Floats = npt.NDArray[np.float64]
Indices = npt.NDArray[np.int64]

BINS = 2048
TURN = 2 * math.pi


@dataclass(frozen=True, eq=False)
class Scan:
    """The K rays of a sweep, ring after ring, in each by rising azimuth; made once a frame.

    points: (K,) the point that a ray came back as, -1 for none; places: (K,) where in the file a
    return of the ray belongs, a point's own row or half a row after its neighbour's.
    azimuths: (K,) radians, 0 to 2 pi; slopes: (K,) rise over run from the laser;
    directions: (K, 3) of length 1; reach: (K,) metres from laser to point, inf where none.
    bands: (R, 2) least and greatest slope; first: (R, BINS + 1) the first ray of each azimuth bin.
    """

    beams: BeamModel
    size: int
    rings: Rings
    points: Indices
    places: Floats
    azimuths: Floats
    slopes: Floats
    directions: Floats
    reach: Floats
    bands: Floats
    first: Indices


def scan_of(
    points: npt.NDArray[np.float32],
    rings: Rings,
    beams: BeamModel,
    azimuth: Floats | None = None,
) -> Scan:
    """The rays of a sweep: points (N, 3 or more), with the ring (N,) of each.

    A point's ray starts at its own laser and goes through the point. Between neighbours of a ring
    more than a step apart, the beams that met nothing are spread evenly, so that they keep the
    sensor's phase there; their elevation is the ring's. azimuth: (N,) of the points where whoever
    asks has it.
    """
    from snellen.vision.lidar.scan_kernels import aimed, looked_up

    azimuth = azimuths(points) if azimuth is None else azimuth
    ring, rows, places, around = _rays(azimuth, rings, beams)
    levels = np.tan(beams.elevations)
    slopes, directions, reach = aimed(points, ring, rows, around, beams.heights, levels)
    edges = np.linspace(0, TURN, BINS + 1)
    bands, first = looked_up(ring, around, slopes, len(beams.heights), edges)
    size = len(points)
    return Scan(beams, size, ring, rows, places, around, slopes, directions, reach, bands, first)


def _rays(azimuth: Floats, rings: Rings, beams: BeamModel) -> tuple[Rings, Indices, Floats, Floats]:
    """Ring, point, place and azimuth (K,) of each ray, ring after ring by rising azimuth."""
    from snellen.vision.lidar.scan_kernels import gaps, laid_out

    order = np.argsort(rings * (2 * TURN) + azimuth, kind="stable")
    counts = np.bincount(rings, minlength=len(beams.heights))
    ends = np.append(0, np.cumsum(counts))
    missing = gaps(azimuth, order, ends, beams.step)
    most = len(order) + int(missing.sum()) + int((counts == 0).sum()) * beams.columns
    rays = (np.empty(most, np.int32), np.empty(most, np.int64), np.empty(most), np.empty(most))
    view = (float(beams.view[0]), float(beams.view[1]))
    step, columns = float(beams.step), beams.columns
    count = laid_out(azimuth, order, ends, missing, view, beams.phases, step, columns, rays)
    return rays[0][:count], rays[1][:count], rays[2][:count], rays[3][:count]
