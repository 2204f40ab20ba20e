"""One insertion after another: the scan of the sweep that an insertion left."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import numpy.typing as npt

from snellen.changes.cloud import CloudChange
from snellen.vision.lidar.scan import Scan


def scan_after(scan: Scan, change: CloudChange) -> Scan:
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


def _moved(scan: Scan, change: CloudChange) -> npt.NDArray[np.float64]:
    """The places (K,) after the change, in rows; those of rays without a point end in one half."""
    kept = np.concatenate([[0], np.cumsum(~change.removed)])
    halves = (2 * scan.places).astype(np.int64) + 1
    added = np.bincount(halves[change.rays], minlength=2 * scan.size + 2)
    above = np.ceil(scan.places).astype(np.int64)
    rows = kept[above] + (np.cumsum(added) - added)[halves]
    silent = scan.points < 0
    silent[change.blocked] = True
    return np.asarray(rows - 0.5 * silent)
