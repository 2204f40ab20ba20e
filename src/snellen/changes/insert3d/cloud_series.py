"""A sweep with several solids, and its scan after each insertion."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from snellen.changes.insert3d.cloud_insertion import CloudChange, LidarSolid, insert_solid
from snellen.vision.arrays import F64, Bools, Ints, Ints32, Points
from snellen.vision.lidar.scan import LidarScan


@dataclass(frozen=True, eq=False)
class CloudSeries:
    """A sweep after S solids were inserted one after the other.

    points: (M, 4) float32. source: (M,) the row of each point in the original sweep, or -1 - i for
    a return of solid i. aimed: (S,) number of beams that would hit each solid if it stood alone;
    visible: (S,) the share of these that hit it first, 1 if there are none.
    """

    points: Points
    source: Ints32
    aimed: tuple[int, ...] = ()
    visible: tuple[float, ...] = ()

    @cached_property
    def returns(self) -> tuple[Points, ...]:
        """The returns of each solid, (A, 4), that later solids do not occlude."""
        rows = np.flatnonzero(self.source < 0)
        owner = -1 - self.source[rows]
        return tuple(self.points[rows[owner == solid]] for solid in range(len(self.aimed)))

    def remaining(self, size: int) -> Bools:
        """(size,) which points of the original sweep of `size` points remain."""
        remaining = np.zeros(size, dtype=np.bool_)
        remaining[self.source[self.source >= 0]] = True
        return remaining


def insert_solids(
    points: Points,
    scan: LidarScan,
    solids: Sequence[LidarSolid],
    rngs: Sequence[np.random.Generator],
) -> CloudSeries:
    """The sweep with the solids, in their order. points: (N, 4). rngs: one for each solid.

    Which solid a beam hits first does not depend on their order. With a generator each, solids keep
    their returns when another is added behind them.
    """
    from snellen.changes.insert3d.cloud_kernels import merge_sources

    source = np.arange(len(points), dtype=np.int32)
    first: list[Ints] = []
    aimed: list[int] = []
    change: CloudChange | None = None
    for place, (solid, rng) in enumerate(zip(solids, rngs, strict=True)):
        scan = scan if change is None else scan_after(scan, change)
        change = insert_solid(points, scan, solid, rng)
        first = [np.setdiff1d(rays, change.blocked, assume_unique=True) for rays in first]
        first.append(change.blocked)
        aimed.append(change.aimed)
        points = change.points
        source = merge_sources(source, change.removed, change.rows, -1 - place)
    shares = (len(rays) / total if total else 1.0 for rays, total in zip(first, aimed, strict=True))
    return CloudSeries(points, source, tuple(aimed), tuple(shares))


def scan_after(scan: LidarScan, change: CloudChange) -> LidarScan:
    """The scan of `change.points`: the same rays, with blocked ones ending at the solid.

    Cheaper than a new scan. A beam that the solid absorbed stays absorbed: solids behind it get no
    return from it.
    """
    places = _moved_places(scan, change)
    points = np.where(scan.points >= 0, places, -1.0).astype(np.int64)
    reach = scan.reach.copy()
    points[change.blocked], reach[change.blocked] = -1, change.depths
    points[change.rays], places[change.rays] = change.rows, change.rows
    offset = change.added[:, :3].astype(np.float64)
    offset[:, 2] -= scan.beams.heights[scan.rings[change.rays]]
    reach[change.rays] = np.linalg.norm(offset, axis=1)
    return replace(scan, size=len(change.points), points=points, places=places, reach=reach)


def _moved_places(scan: LidarScan, change: CloudChange) -> F64:
    """(K,) places after the change, in rows; those of rays without a point end in one half."""
    kept = np.concatenate([[0], np.cumsum(~change.removed)])
    halves = (2 * scan.places).astype(np.int64) + 1
    added = np.bincount(halves[change.rays], minlength=2 * scan.size + 2)
    above = np.ceil(scan.places).astype(np.int64)
    rows = kept[above] + (np.cumsum(added) - added)[halves]
    silent = scan.points < 0
    silent[change.blocked] = True
    return np.asarray(rows - 0.5 * silent)
