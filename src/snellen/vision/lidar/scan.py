"""All rays of a sweep: those with a return, and those without."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from snellen.vision.arrays import F32, F64, Ints, Ints32
from snellen.vision.compilation import read_only
from snellen.vision.lidar.beams import BeamModel, nearest_rings, recovered_beams
from snellen.vision.lidar.presets import preset
from snellen.vision.lidar.rings import azimuths, rings_in_order

BINS = 2048
TURN = 2 * math.pi


@dataclass(frozen=True, eq=False)
class LidarScan:
    """The K rays of a sweep by ring, then ascending azimuth; computed once per frame.

    points: (K,) the point of the return of a ray, -1 for none; places: (K,) where a return of the
    ray belongs in the file: the row of its point, or half a row after its neighbour's. azimuths:
    (K,) radians, 0 to 2 pi; slopes: (K,) rise over run from the laser; directions: (K, 3) unit
    vectors; reach: (K,) metres from laser to point, inf for none. bands: (R, 2) smallest and
    largest slope; first: (R, BINS + 1) the first ray of each azimuth bin.
    """

    beams: BeamModel
    size: int
    rings: Ints32
    points: Ints
    places: F64
    azimuths: F64
    slopes: F64
    directions: F64
    reach: F64
    bands: F64
    first: Ints


def scan_of_sweep(points: F32, sensor: str | None = None) -> LidarScan:
    """The rays of a sweep, points (N, 4) in metres in the LiDAR frame.

    sensor: the name of a preset, for clouds whose points are not stored ring by ring; without one
    the beams are recovered from the points.
    """
    azimuth = azimuths(points)
    if sensor is not None:
        beams = preset(sensor)
        return scan_of(points, nearest_rings(points, beams), beams, azimuth)
    rings = rings_in_order(points, azimuth)
    return scan_of(points, rings, recovered_beams(points, rings, azimuth), azimuth)


def scan_of(
    points: F32,
    rings: Ints32,
    beams: BeamModel,
    azimuth: F64 | None = None,
) -> LidarScan:
    """The rays of a sweep: points (N, 3 or more), with the ring (N,) of each.

    The ray of a point starts at its laser and goes through the point. Between neighbours of a ring
    more than a step apart, beams without a return are spread evenly, which keeps the sensor's phase
    there; their elevation is the ring's. azimuth: (N,) of the points, if already computed.
    """
    from snellen.vision.lidar.scan_kernels import fill_rays, missing_beams

    azimuth = azimuths(points) if azimuth is None else azimuth
    order = np.argsort(rings * (2 * TURN) + azimuth, kind="stable")
    counts = np.bincount(rings, minlength=len(beams.heights))
    ends, step = np.append(0, np.cumsum(counts)), float(beams.step)
    missing = missing_beams(azimuth, order, ends, step)
    silent = int(np.count_nonzero(counts == 0)) * beams.columns
    rays = _Rays.room_for(len(order) + int(missing.sum()) + silent)
    view, levels = (float(beams.view[0]), float(beams.view[1])), np.tan(beams.elevations)
    sensor = (view, step, beams.phases, beams.heights, levels, beams.columns)
    beam = (rays.rings, rays.points, rays.places, rays.azimuths)
    lines = (rays.slopes, rays.directions, rays.reach)
    edges = np.linspace(0, TURN, BINS + 1)
    size, bands, first = fill_rays(
        read_only(points), azimuth, order, ends, missing, sensor, edges, beam, lines
    )
    return LidarScan(beams, len(points), *rays.first(size), bands, first)


class _Rays(NamedTuple):
    """The arrays of a scan with one entry per ray."""

    rings: Ints32
    points: Ints
    places: F64
    azimuths: F64
    slopes: F64
    directions: F64
    reach: F64

    @classmethod
    def room_for(cls, count: int) -> _Rays:
        """Uninitialised arrays in one block of memory, which is allocated faster than many."""
        block = np.empty(9 * count)
        parts = [block[k * count : (k + 1) * count] for k in range(6)]
        rings, points = parts[0].view(np.int32)[:count], parts[1].view(np.int64)
        directions = block[6 * count :].reshape(count, 3)
        return cls(rings, points, parts[2], parts[3], parts[4], directions, parts[5])

    def first(self, count: int) -> _Rays:
        """The first `count` entries of each array."""
        return _Rays._make(part[:count] for part in self)
