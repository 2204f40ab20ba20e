"""Distances between samples of measurements of inserted and real objects.

None of them shows that a picture looks right: they find average differences from real objects. The
agreement of image and LiDAR about one object is in `changes.insert3d.modality`.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]

BANDS = (0.0, 10.0, 20.0, 30.0, 45.0, 70.0)
"""Edges in metres of the range bands within which objects are compared."""
DEEP, STEP = 5.0, 0.25
"""Depth of an object's depth profile behind its nearest return, and its bins, in metres."""
NEARBY = 0.3
"""Metres around a return within which its neighbours are counted."""
UNIT = 10.0
"""Reference range in metres of numbers of returns."""


def frechet_distance(a: npt.ArrayLike, b: npt.ArrayLike) -> float:
    """The squared Frechet distance of two samples (N, D) and (M, D), as normal distributions.

    |mean - mean|^2 + trace(S + T - 2 (S T)^(1/2)), with population covariances. It is FID only on
    features of Inception-v3. It is biased upwards for few samples: compare at equal N, and with
    the distance between real samples.

    >>> frechet_distance([[0.0], [2.0]], [[3.0], [5.0]])
    9.0
    """
    one, two = _table(a), _table(b)
    if one.shape[1] != two.shape[1] or not len(one) or not len(two):
        raise ValueError(f"samples of shapes {one.shape} and {two.shape}; expected (N, D), (M, D)")
    gap = one.mean(axis=0) - two.mean(axis=0)
    first, second = _covariance(one), _covariance(two)
    root = _root(first)
    # The trace of (S T)^(1/2) is that of the symmetric (S^(1/2) T S^(1/2))^(1/2).
    shared = np.sqrt(np.clip(np.linalg.eigvalsh(root @ second @ root), 0.0, None)).sum()
    spread = np.trace(first) + np.trace(second) - 2.0 * shared
    return float(gap @ gap + max(spread, 0.0))


def scaled_by(real: npt.ArrayLike, samples: npt.ArrayLike) -> Floats:
    """The samples (N, D) in standard deviations of the real ones (M, D) from their mean.

    A feature that is constant among the real ones is ignored: it becomes 0.
    """
    known = _table(real)
    deviation = known.std(axis=0)
    constant = deviation <= 1e-12
    scaled = (_table(samples) - known.mean(axis=0)) / np.where(constant, 1.0, deviation)
    return np.where(constant, 0.0, scaled)


def visibility_gap(lidar: float, image: float) -> float:
    """The difference of an object's visible shares in LiDAR and camera, 0 to 1.

    An object occluded in one sensor only is rendered in the wrong order there.
    """
    return abs(lidar - image)


def range_band(distance: float) -> int | None:
    """The band of BANDS in which a distance in metres lies; None beyond the last.

    >>> range_band(12.0), range_band(80.0)
    (1, None)
    """
    band = int(np.searchsorted(BANDS, distance, side="right")) - 1
    return band if 0 <= band < len(BANDS) - 1 else None


def local_density(points: npt.ArrayLike) -> float:
    """The mean number of neighbours within 0.3 m of a return, normalised to 10 m.

    points: (N, 3) or more columns, the returns of one object, metres in the LiDAR frame. Beams
    diverge with range, so the number is multiplied by (range / 10 m)^2. 0 without returns.
    """
    from scipy.spatial import cKDTree

    places = _places(points)
    if not len(places):
        return 0.0
    counts = cKDTree(places).query_ball_point(places, NEARBY, return_length=True) - 1
    ranges = np.linalg.norm(places, axis=1)
    return float(np.mean(counts * (ranges / UNIT) ** 2))


def depth_profile(points: npt.ArrayLike) -> Floats:
    """(B,) counts of an object's returns by their distance behind its nearest return.

    points: (N, 3) or more columns, metres in the LiDAR frame. Bins of 0.25 m to 5 m; deeper
    returns count in the last.
    """
    places = _places(points)
    edges = np.arange(0.0, DEEP + STEP / 2, STEP)
    if not len(places):
        return np.zeros(len(edges) - 1)
    ranges = np.linalg.norm(places, axis=1)
    behind = np.clip(ranges - ranges.min(), 0.0, DEEP)
    return np.histogram(behind, edges)[0].astype(np.float64)


def profile_of(things: Sequence[npt.ArrayLike]) -> Floats:
    """(B,) the mean depth profile of several objects, equally weighted; sums to 1 or 0."""
    counts = [depth_profile(one) for one in things]
    shares = [one / one.sum() for one in counts if one.sum()]
    return np.mean(shares, axis=0) if shares else depth_profile(np.zeros((0, 3)))


def jensen_shannon(a: npt.ArrayLike, b: npt.ArrayLike) -> float:
    """The Jensen-Shannon distance of two histograms (B,), 0 for equal to 1 for disjoint ones.

    The square root of the divergence to base 2; nan if one is empty.

    >>> jensen_shannon([1, 1], [2, 2]), jensen_shannon([1, 0], [0, 3])
    (0.0, 1.0)
    """
    one, two = np.asarray(a, np.float64), np.asarray(b, np.float64)
    if not one.sum() or not two.sum():
        return float("nan")
    one, two = one / one.sum(), two / two.sum()
    middle = (one + two) / 2
    divergence = (_entropy_to(one, middle) + _entropy_to(two, middle)) / 2
    return float(np.sqrt(max(divergence, 0.0)))


def earth_movers(a: npt.ArrayLike, b: npt.ArrayLike, step: float = STEP) -> float:
    """The Wasserstein distance of two histograms (B,) over the same bins of width `step`.

    >>> earth_movers([1, 0, 0], [0, 0, 1], step=0.5)
    1.0
    """
    one, two = np.asarray(a, np.float64), np.asarray(b, np.float64)
    if not one.sum() or not two.sum():
        return float("nan")
    return float(step * np.abs(np.cumsum(one / one.sum() - two / two.sum())).sum())


def _entropy_to(one: Floats, other: Floats) -> float:
    there = one > 0
    return float((one[there] * np.log2(one[there] / other[there])).sum())


def _root(covariance: Floats) -> Floats:
    values, vectors = np.linalg.eigh(covariance)
    return np.asarray((vectors * np.sqrt(np.clip(values, 0.0, None))) @ vectors.T)


def _covariance(samples: Floats) -> Floats:
    centred = samples - samples.mean(axis=0)
    return np.asarray(centred.T @ centred / len(samples))


def _table(samples: npt.ArrayLike) -> Floats:
    table = np.asarray(samples, dtype=np.float64)
    if table.ndim != 2 or not np.isfinite(table).all():
        raise ValueError(f"samples of shape {table.shape}; expected finite numbers (N, D)")
    return table


def _places(points: npt.ArrayLike) -> Floats:
    return np.asarray(points, dtype=np.float64)[:, :3]
