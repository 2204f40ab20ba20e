"""Clustering of returns with a distance threshold that grows with range."""

from __future__ import annotations

import numpy as np

from snellen.vision.arrays import F64, Bools, Ints, Ints32

GAP, SPREAD = 0.2, 0.004
"""Returns are neighbours within GAP metres plus SPREAD per metre of range."""

DEEPER = 1.25
"""Factor of the threshold along the beams, since returns on grazed surfaces are sparse."""

FINENESS = 3
"""Cells per gap: returns in one cell count as one, which keeps near objects cheap."""


def clusters(points: F64, gap: float = GAP, spread: float = SPREAD) -> list[Ints]:
    """The indices of each cluster's points, largest cluster first.

    points: (N, 2) or more columns, x and y in metres in the LiDAR frame; other columns are ignored.
    Two points are in the same cluster if a chain of steps joins them, none longer than
    `gap + spread * range` across the beams and a quarter longer along them.

    >>> [one.tolist() for one in clusters(np.array([[10, 0], [10.2, 0], [12, 0], [10, 0.2]]))]
    [[0, 1, 3], [2]]
    """
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import connected_components
    from scipy.spatial import KDTree

    if not len(points):
        return []
    cells, members = np.unique(
        np.floor(_normalised(points, gap, spread) * FINENESS).astype(np.int64),
        axis=0,
        return_inverse=True,
    )
    pairs = KDTree(cells).query_pairs(DEEPER * FINENESS, output_type="ndarray")
    pairs = pairs[_neighbours(cells[pairs[:, 0]], cells[pairs[:, 1]])]
    links = coo_array((np.ones(len(pairs)), pairs.T), shape=(len(cells), len(cells)))
    count, labels = connected_components(links, directed=False)
    return _grouped(labels[members.ravel()], count)


def _normalised(points: F64, gap: float, spread: float) -> F64:
    """(N, 2) points moved towards the LiDAR so that the threshold is 1 at every range.

    Along a beam it corresponds to `gap + spread * range` metres; across, where returns are denser,
    to somewhat less.
    """
    flat = np.asarray(points[:, :2], dtype=np.float64)
    range_ = np.maximum(np.hypot(flat[:, 0], flat[:, 1]), 1e-6)
    drawn = np.log1p(spread * range_ / gap) / spread
    return np.asarray(flat * (drawn / range_)[:, None])


def _neighbours(some: Ints, others: Ints) -> Bools:
    """(P,) whether pairs of cells, (P, 2) each, are within an ellipse along the beam."""
    middles, steps = (some + others + 1) / 2, others - some
    middles /= np.maximum(np.hypot(middles[:, 0], middles[:, 1]), 1e-6)[:, None]
    along = (steps * middles).sum(axis=1) / DEEPER
    across = steps[:, 0] * middles[:, 1] - steps[:, 1] * middles[:, 0]
    return np.asarray(along**2 + across**2 <= FINENESS**2)


def _grouped(labels: Ints32, count: int) -> list[Ints]:
    order = np.argsort(labels, kind="stable")
    starts = np.searchsorted(labels[order], np.arange(1, count))
    groups = [part.astype(np.int64) for part in np.split(order, starts)]
    return sorted(groups, key=lambda group: (-len(group), int(group[0])))
