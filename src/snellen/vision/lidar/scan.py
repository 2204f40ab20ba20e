"""All rays of one sweep: those that came back as points, and those that met nothing."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from snellen.vision.lidar.beams import BeamModel
from snellen.vision.lidar.rings import Rings, azimuths

Floats = npt.NDArray[np.float64]
Indices = npt.NDArray[np.int64]

BINS = 2048
TURN = 2 * math.pi
ON_AXIS = 1e-9


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


def scan_of(points: npt.NDArray[np.float32], rings: Rings, beams: BeamModel) -> Scan:
    """The rays of a sweep: points (N, 3 or more), with the ring (N,) of each.

    A point's ray starts at its own laser and goes through the point. Between neighbours of a ring
    more than a step apart, the beams that met nothing are spread evenly, so that they keep the
    sensor's phase there; their elevation is the ring's.
    """
    azimuth = azimuths(points)
    silent, turned, places = _silent_beams(azimuth, rings, beams)
    rays = points[:, :3].astype(np.float64)
    rays[:, 2] -= beams.heights[rings]
    across = np.maximum(np.hypot(rays[:, 0], rays[:, 1]), ON_AXIS)
    reach = np.hypot(across, rays[:, 2])
    level = np.tan(beams.elevations)[silent]
    every_ring, every_azimuth = np.append(rings, silent), np.append(azimuth, turned)
    order = np.argsort(_around(every_ring, every_azimuth), kind="stable")
    ring, around = every_ring[order], every_azimuth[order]
    slopes = np.append(rays[:, 2] / across, level)[order]
    rows = np.arange(len(points))
    return Scan(
        beams,
        len(points),
        ring,
        np.append(rows, np.full(len(silent), -1))[order],
        np.append(rows.astype(np.float64), places)[order],
        around,
        slopes,
        np.concatenate([rays / reach[:, None], _directions(turned, level)])[order],
        np.append(reach, np.full(len(silent), np.inf))[order],
        *_lookup(ring, around, slopes, len(beams.heights)),
    )


def _silent_beams(azimuth: Floats, rings: Rings, beams: BeamModel) -> tuple[Rings, Floats, Floats]:
    """Ring, azimuth and place (E,) of each beam in view that no point came back by."""
    order = np.argsort(_around(rings, azimuth), kind="stable")
    gaps = _gaps(azimuth[order], rings[order], order, beams)
    ring, turned, places = np.append(gaps, _silent_rings(rings, beams), axis=1)
    seen = beams.sees(turned)
    return ring[seen].astype(np.int32), turned[seen], places[seen]


def _around(rings: npt.NDArray[Any], azimuth: Floats) -> Floats:
    """A key that rises with the ring and, within it, with the azimuth."""
    return np.asarray(rings * (2 * TURN) + azimuth)


def _gaps(azimuth: Floats, rings: Rings, order: Indices, beams: BeamModel) -> Floats:
    """The beams without a return in rings that have some: ring, azimuth and place, (3, E).

    azimuth, rings, order: of the points, sorted; order says the row of each in the file.
    """
    if not len(azimuth):
        return np.zeros((3, 0))
    heads = np.flatnonzero(np.diff(rings, prepend=-1))
    tails = np.append(heads[1:], len(rings)) - 1
    after = np.append(azimuth[1:], 0.0)
    after[tails] = azimuth[heads] + TURN
    between = after - azimuth
    missing = np.maximum(np.rint(between / beams.step).astype(np.int64) - 1, 0)
    owner = np.repeat(np.arange(len(azimuth)), missing)
    count = np.arange(len(owner)) - np.repeat(np.cumsum(missing) - missing, missing) + 1
    angle = azimuth[owner] + between[owner] * count / (missing[owner] + 1)
    head = heads[np.searchsorted(heads, owner, side="right") - 1]
    places = np.where(angle < TURN, order[owner] + 0.5, order[head] - 0.5)
    return np.stack([rings[owner].astype(np.float64), np.mod(angle, TURN), places])


def _silent_rings(rings: Rings, beams: BeamModel) -> Floats:
    """The beams of rings that have no point at all: ring, azimuth and place, (3, E)."""
    silent = np.flatnonzero(np.bincount(rings, minlength=len(beams.heights)) == 0)
    ring, column = (grid.ravel() for grid in np.meshgrid(silent, np.arange(beams.columns)))
    angle = np.mod(beams.phases[ring] + column * beams.step, TURN)
    return np.stack([ring.astype(np.float64), angle, np.full(len(ring), len(rings) - 0.5)])


def _directions(azimuth: Floats, slopes: Floats) -> Floats:
    length = np.sqrt(1 + slopes * slopes)
    return np.stack([np.cos(azimuth) / length, np.sin(azimuth) / length, slopes / length], axis=1)


def _lookup(rings: Rings, azimuth: Floats, slopes: Floats, count: int) -> tuple[Floats, Indices]:
    """The bands and the first rays of a scan's rings; an empty ring has an empty band."""
    bands = np.tile([np.inf, -np.inf], (count, 1))
    heads = np.flatnonzero(np.diff(rings, prepend=-1))
    filled = rings[heads]
    if len(heads):
        bands[filled, 0] = np.minimum.reduceat(slopes, heads)
        bands[filled, 1] = np.maximum.reduceat(slopes, heads)
    edges = _around(np.arange(count)[:, None], np.linspace(0, TURN, BINS + 1)[None, :])
    first = np.searchsorted(_around(rings, azimuth), edges.ravel())
    return bands, first.reshape(count, BINS + 1)
