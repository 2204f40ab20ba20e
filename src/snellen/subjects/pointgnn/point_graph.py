"""The graph of a point cloud: one vertex per voxel, joined to its neighbours."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from snellen.vision.arrays import F64, Ints

SAME = 1e-9
"""Metres: distances that differ by less are equal up to rounding."""


@dataclass(frozen=True, eq=False)
class Neighbourhoods:
    """Neighbours: those of target t are sources[starts[t] : starts[t + 1]], in ascending order.

    Every target has at least one.
    """

    sources: Ints
    starts: Ints

    @property
    def counts(self) -> Ints:
        """(T,) the number of neighbours of each target."""
        return np.diff(self.starts)

    def only(self, targets: Ints) -> Neighbourhoods:
        """The neighbourhoods of these targets, in their order."""
        counts = self.counts[targets]
        starts = _starts(counts)
        step = np.arange(starts[-1]) - np.repeat(starts[:-1], counts)
        return Neighbourhoods(self.sources[np.repeat(self.starts[targets], counts) + step], starts)

    def subsampled(self, most: int) -> Neighbourhoods:
        """At most `most` neighbours per target, evenly spaced; all if `most` is below 0.

        The choice is not random: a change elsewhere in the cloud does not affect it.
        """
        counts = self.counts
        kept = np.minimum(counts, most) if most > 0 else counts
        starts = _starts(kept)
        target = np.repeat(np.arange(len(kept)), kept)
        step = np.arange(starts[-1]) - starts[target]
        place = self.starts[target] + step * counts[target] // kept[target]
        return Neighbourhoods(self.sources[place], starts)

    def groups(self, edges: int) -> Iterator[tuple[Ints, Ints]]:
        """Groups of targets (D,) with similar numbers of neighbours, and (D, K) their neighbours.

        A group has at most about `edges` edges. A row with fewer than K neighbours repeats its last
        one, which does not affect a maximum.
        """
        counts = self.counts
        order = np.argsort(counts, kind="stable")
        first = 0
        while first < len(order):
            last = _group_end(counts[order], first, edges)
            targets = order[first:last]
            step = np.arange(counts[targets[-1]])
            place = np.minimum(step, counts[targets, None] - 1) + self.starts[targets, None]
            yield targets, self.sources[place]
            first = last


def _group_end(rising: Ints, first: int, edges: int) -> int:
    """The end of the longest group from `first` with a padded size of at most `edges`."""
    window = rising[first : first + edges]
    fits = window * np.arange(1, len(window) + 1) <= edges
    return first + max(1, int(fits.sum()))


def neighbourhoods(points: F64, targets: F64, radius: float) -> Neighbourhoods:
    """The points (N, 3) within `radius` of each of the targets (T, 3), in metres."""
    from scipy.spatial import cKDTree

    pairs = cKDTree(targets).sparse_distance_matrix(cKDTree(points), radius, output_type="ndarray")
    keys = np.sort(pairs["i"] * np.int64(len(points)) + pairs["j"])
    target, source = np.divmod(keys, len(points))
    return Neighbourhoods(source, _starts(np.bincount(target, minlength=len(targets))))


def vertices_of(points: F64, voxel: float) -> Ints:
    """Indices of the points (N, 3) that become vertices: the nearest to the mean of each voxel.

    Voxels are cubes of side `voxel` metres in order of z, y, x; the first starts half a side before
    the smallest coordinates. The nearest point may be in another voxel, so a point may occur twice.
    Of two equally near points, the one with the smaller coordinates is taken.
    """
    cells = np.floor((points - (points.min(axis=0) - voxel / 2)) / voxel).astype(np.int64)
    size = cells.max(axis=0) + 1
    keys = cells[:, 0] + size[0] * (cells[:, 1] + size[1] * cells[:, 2])
    _, cell, counts = np.unique(keys, return_inverse=True, return_counts=True)
    sums = [np.bincount(cell, weights=points[:, axis]) for axis in range(3)]
    return _nearest(points, np.column_stack(sums) / counts[:, None])


def _nearest(points: F64, places: F64) -> Ints:
    """(P,) indices of the points nearest to places; ties do not depend on the rest of the cloud."""
    from scipy.spatial import cKDTree

    if len(points) == 1:
        return np.zeros(len(places), dtype=np.int64)
    distances, found = map(np.asarray, cKDTree(points).query(places, k=2))
    rank = np.empty(len(points), dtype=np.int64)
    rank[np.lexsort(points.T[::-1])] = np.arange(len(points))
    tied = distances[:, 1] - distances[:, 0] < SAME
    second = tied & (rank[found[:, 1]] < rank[found[:, 0]])
    return np.asarray(np.where(second, found[:, 1], found[:, 0]), dtype=np.int64)


def _starts(counts: Ints) -> Ints:
    return np.concatenate([[0], np.cumsum(counts)]).astype(np.int64)
