"""One insertion after another: a sweep with several solids, and the scan that one of them left."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from snellen.changes.insert3d.cloud_insertion import CloudChange, LidarSolid, inserted
from snellen.vision.arrays import F64, Bools, Ints, Ints32, Points
from snellen.vision.lidar.scan import LidarScan


@dataclass(frozen=True, eq=False)
class CloudSeries:
    """A sweep after S solids were put in, one after the other.

    points: (M, 4) float32. source: (M,) int32, the row of each point in the sweep before, or
    -1 - i for a return of solid i. aimed: (S,) how many beams would meet each solid if it stood
    alone; visible: (S,) the share of these that meet it first of all, 1 where there are none.
    """

    points: Points
    source: Ints32
    aimed: tuple[int, ...] = ()
    visible: tuple[float, ...] = ()

    @cached_property
    def returns(self) -> tuple[Points, ...]:
        """(A, 4) the returns of each solid that are left."""
        rows = np.flatnonzero(self.source < 0)
        owner = -1 - self.source[rows]
        return tuple(self.points[rows[owner == solid]] for solid in range(len(self.aimed)))

    def kept(self, size: int) -> Bools:
        """(size,) which points of the sweep before, that had `size` of them, are left."""
        left = np.zeros(size, dtype=np.bool_)
        left[self.source[self.source >= 0]] = True
        return left


def inserted_series(
    points: Points,
    scan: LidarScan,
    solids: Sequence[LidarSolid],
    rngs: Sequence[np.random.Generator],
) -> CloudSeries:
    """The sweep with the solids in it, in their order. points: (N, 4); a generator for each solid.

    Which solid a beam meets first does not depend on their order, and with a generator each, the
    first ones keep their returns where another is added behind them.
    """
    from snellen.changes.insert3d.cloud_kernels import moved_sources

    source = np.arange(len(points), dtype=np.int32)
    first: list[Ints] = []
    aimed: list[int] = []
    change: CloudChange | None = None
    for place, (solid, rng) in enumerate(zip(solids, rngs, strict=True)):
        scan = scan if change is None else scan_after(scan, change)
        change = inserted(points, scan, solid, rng)
        first = [np.setdiff1d(rays, change.blocked, assume_unique=True) for rays in first]
        first.append(change.blocked)
        aimed.append(change.aimed)
        points = change.points
        source = moved_sources(source, change.removed, change.rows, -1 - place)
    shares = (len(rays) / total if total else 1.0 for rays, total in zip(first, aimed, strict=True))
    return CloudSeries(points, source, tuple(aimed), tuple(shares))


def scan_after(scan: LidarScan, change: CloudChange) -> LidarScan:
    """The scan of `change.points`: the same rays, those that were blocked ending at the solid.

    Cheaper than making it anew, and a beam that the solid swallowed stays swallowed: what is put
    behind it later gives no return there.
    """
    places = _moved(scan, change)
    points = np.where(scan.points >= 0, places, -1.0).astype(np.int64)
    reach = scan.reach.copy()
    points[change.blocked], reach[change.blocked] = -1, change.depths
    points[change.rays], places[change.rays] = change.rows, change.rows
    offset = change.added[:, :3].astype(np.float64)
    offset[:, 2] -= scan.beams.heights[scan.rings[change.rays]]
    reach[change.rays] = np.linalg.norm(offset, axis=1)
    return replace(scan, size=len(change.points), points=points, places=places, reach=reach)


def _moved(scan: LidarScan, change: CloudChange) -> F64:
    """The places (K,) after the change, in rows; those of rays without a point end in one half."""
    kept = np.concatenate([[0], np.cumsum(~change.removed)])
    halves = (2 * scan.places).astype(np.int64) + 1
    added = np.bincount(halves[change.rays], minlength=2 * scan.size + 2)
    above = np.ceil(scan.places).astype(np.int64)
    rows = kept[above] + (np.cumsum(added) - added)[halves]
    silent = scan.points < 0
    silent[change.blocked] = True
    return np.asarray(rows - 0.5 * silent)
