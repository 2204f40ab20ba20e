"""Clusters of failure positions, and whether they exceed chance."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from snellen.vision.arrays import F64, AnyArray, Bools, Labels

RADIUS = 0.25
"""The largest distance of neighbours, in diagonals of the object."""
NEIGHBOURS = 5
"""Points within the radius, including itself, that make a point the core of a cluster."""
SHARE = 0.5
"""The smallest share of failures in one cluster that makes them clusterable."""


@dataclass(frozen=True, eq=False)
class Clusters:
    """The clusters of N failure positions.

    labels: (N,) 0 for the largest cluster and so on, -1 for none. share: of all failures, in the
    largest cluster. p_value: the probability of at least this share if failures were placed at
    random among the allowed positions. clusterable: whether the share is large enough; whether it
    is significant is for the p-value.
    """

    labels: Labels
    share: float
    p_value: float
    clusterable: bool

    @property
    def count(self) -> int:
        """The number of clusters."""
        return int(self.labels.max(initial=-1)) + 1


def dbscan(points: npt.ArrayLike, radius: float, neighbours: int = NEIGHBOURS) -> Labels:
    """The cluster of each of N points (N, 2), or -1 for none: (N,) int64 (Ester et al. 1996).

    A point with at least `neighbours` points within `radius`, including itself, is a core. Cores
    within a radius of each other share a cluster; any other point joins that of its nearest core
    within the radius (the first on ties), so the order of points does not matter. The largest
    cluster is 0; on ties, the one with the first point.

    >>> dbscan([[0, 0], [0, 1], [1, 0], [9, 9]], radius=1.5, neighbours=3).tolist()
    [0, 0, 0, -1]
    """
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import connected_components
    from scipy.spatial import cKDTree

    places = _positions(points)
    count = len(places)
    pairs = (
        cKDTree(places).query_pairs(radius, output_type="ndarray") if count else np.zeros((0, 2))
    )
    first, second = pairs.astype(np.int64).T
    core = 1 + np.bincount(np.r_[first, second], minlength=count) >= neighbours
    joined = core[first] & core[second]
    edges = coo_array(
        (np.ones(joined.sum(), bool), (first[joined], second[joined])), shape=(count, count)
    )
    labels = connected_components(edges, directed=False)[1].astype(np.int64)
    labels[~core] = -1
    _join_borders(places, core, np.r_[pairs, pairs[:, ::-1]].astype(np.int64), labels)
    return _by_size(labels)


def failure_clusters(
    points: npt.ArrayLike,
    diagonal: float,
    rng: np.random.Generator,
    allowed: npt.ArrayLike,
    *,
    radius: float = RADIUS,
    neighbours: int = NEIGHBOURS,
    share: float = SHARE,
    replicates: int = 999,
) -> Clusters:
    """The clusters of failure positions (N, 2), with a p-value.

    diagonal: of the object in pixels, the unit of the radius. allowed: where the failures could
    have been. As (M, 2) positions, such as those of all tests of the object: N of them are drawn
    without replacement, so that the p-value says whether failures cluster more than the tests do.
    As an (H, W) bool array: uniform over its true pixels.

    >>> rng = np.random.default_rng(1)
    >>> tests = rng.uniform(0, 100, (500, 2))
    >>> near = tests[np.hypot(*(tests - 50).T) < 20]
    >>> found = failure_clusters(near, 40.0, rng, tests)
    >>> found.share, found.p_value
    (1.0, 0.001)
    """
    from snellen.statistics.clustering_kernels import largest_clusters

    places = _positions(points)
    if not diagonal > 0:
        raise ValueError(f"the diagonal of an object must be above 0 pixels; found {diagonal}")
    reach = radius * diagonal
    labels = dbscan(places, reach, neighbours)
    count = len(places)
    if not count:
        return Clusters(labels, 0.0, 1.0, False)
    largest = int(np.count_nonzero(labels == 0))
    drawn = _random_positions(count, replicates, np.asarray(allowed), rng)
    null = largest_clusters(drawn, reach, neighbours)
    p_value = (1 + int(np.count_nonzero(null >= largest))) / (1 + replicates)
    return Clusters(labels, largest / count, p_value, largest >= share * count and largest > 0)


def _positions(points: npt.ArrayLike) -> F64:
    return np.asarray(points, dtype=np.float64).reshape(-1, 2)


def _random_positions(
    count: int, replicates: int, allowed: AnyArray, rng: np.random.Generator
) -> F64:
    """(replicates, count, 2) positions drawn uniformly from the allowed ones."""
    if allowed.dtype == np.bool_:
        inside = np.argwhere(allowed)[:, ::-1].astype(np.float64)
        chosen = rng.integers(0, len(inside), (replicates, count))
        return np.asarray(inside[chosen] + rng.random((replicates, count, 2)))
    places = _positions(allowed)
    if len(places) < count:
        raise ValueError(f"found {count} failures, but only {len(places)} allowed positions")
    order = np.argpartition(rng.random((replicates, len(places))), count - 1, axis=1)
    return places[order[:, :count]]


def _join_borders(places: F64, core: Bools, pairs: Labels, labels: Labels) -> None:
    """Give each point that is not a core the label of its nearest core, in place."""
    to_core = pairs[~core[pairs[:, 0]] & core[pairs[:, 1]]]
    far = ((places[to_core[:, 0]] - places[to_core[:, 1]]) ** 2).sum(axis=1)
    order = np.lexsort((to_core[:, 1], far, to_core[:, 0]))
    own, first = np.unique(to_core[order, 0], return_index=True)
    labels[own] = labels[to_core[order[first], 1]]


def _by_size(labels: Labels) -> Labels:
    """Labels renumbered by cluster size, the largest first; ties by the first point."""
    names, first, sizes = np.unique(labels[labels >= 0], return_index=True, return_counts=True)
    places = np.full(labels.max(initial=-1) + 2, -1, dtype=np.int64)
    places[names[np.lexsort((first, -sizes))]] = np.arange(len(names))
    return places[labels]
