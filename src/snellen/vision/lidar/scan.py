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
    order = np.argsort(_around(rings, azimuth), kind="stable")
    empty = np.concatenate(
        [_gaps(azimuth[order], rings[order], order, beams), _silent(rings, len(points), beams)],
        axis=1,
    )
    empty = empty[:, beams.sees(empty[1])]
    rise = points[:, 2] - beams.heights[rings]
    across = np.maximum(np.hypot(*points[:, :2].astype(np.float64).T), ON_AXIS)
    silent = empty[0].astype(np.int32)
    every_ring = np.concatenate([rings[order], silent])
    every_azimuth = np.concatenate([azimuth[order], empty[1]])
    again = np.argsort(_around(every_ring, every_azimuth), kind="stable")
    slopes = np.concatenate([(rise / across)[order], np.tan(beams.elevations)[silent]])
    reach = np.concatenate([np.hypot(across, rise)[order], np.full(len(silent), np.inf)])
    return Scan(
        beams,
        len(points),
        every_ring[again],
        np.concatenate([order, np.full(len(silent), -1)])[again],
        np.concatenate([order, empty[2]])[again],
        every_azimuth[again],
        slopes[again],
        _directions(every_azimuth[again], slopes[again]),
        reach[again],
        *_lookup(every_ring[again], every_azimuth[again], slopes[again], len(beams.heights)),
    )


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


def _silent(rings: Rings, size: int, beams: BeamModel) -> Floats:
    """The beams of rings that have no point at all: ring, azimuth and place, (3, E)."""
    silent = np.setdiff1d(np.arange(len(beams.heights)), rings)
    ring, column = (grid.ravel() for grid in np.meshgrid(silent, np.arange(beams.columns)))
    angle = np.mod(beams.phases[ring] + column * beams.step, TURN)
    return np.stack([ring.astype(np.float64), angle, np.full(len(ring), size - 0.5)])


def _directions(azimuth: Floats, slopes: Floats) -> Floats:
    length = np.sqrt(1 + slopes * slopes)
    return np.stack([np.cos(azimuth) / length, np.sin(azimuth) / length, slopes / length], axis=1)


def _lookup(rings: Rings, azimuth: Floats, slopes: Floats, count: int) -> tuple[Floats, Indices]:
    """The bands and the first rays of a scan's rings; an empty ring has an empty band."""
    bands = np.tile([np.inf, -np.inf], (count, 1))
    filled = np.unique(rings)
    heads = np.searchsorted(rings, filled)
    if len(heads):
        bands[filled, 0] = np.minimum.reduceat(slopes, heads)
        bands[filled, 1] = np.maximum.reduceat(slopes, heads)
    edges = _around(np.arange(count)[:, None], np.linspace(0, TURN, BINS + 1)[None, :])
    first = np.searchsorted(_around(rings, azimuth), edges.ravel())
    return bands, first.reshape(count, BINS + 1)
