"""Places for a rectangle at wanted distances from a contour, outwards in some directions.

Frame: pixels, origin top-left, x right, y down; an angle is in radians from +x towards +y.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

Points = npt.NDArray[np.float64]


def centres_at(
    points: npt.ArrayLike,
    size: tuple[float, float],
    distances: npt.ArrayLike,
    angles: npt.ArrayLike,
    origin: Sequence[float] | None = None,
) -> Points:
    """Centres x y of rectangles that are the wanted distances from a contour, (A, D, 2).

    points: (K, 2) of the contour. size: (height, width) of the rectangle. distances: (D,) pixels,
    0 or more. angles: (A,) the directions from `origin` (the mean of the points) in which the
    rectangle lies. Each is the farthest place of its ray where the distance is no more than wanted,
    so `snellen.vision.contours.distance_to` gives the wanted distance there. NaN where the
    rectangle never comes so near on its way, as where it slips between two points at distance 0:
    take points that are closer together than the rectangle is small.

    >>> centres_at([[0, 0], [10, 0], [10, 10], [0, 10]], (12, 2), [0, 5], [0.0]).tolist()
    [[[11.0, 5.0], [16.0, 5.0]]]
    """
    contour = np.asarray(points, dtype=np.float64).reshape(-1, 2)
    if not len(contour):
        raise ValueError("a contour without points has no distance; use the box's own contour")
    wanted = np.asarray(distances, dtype=np.float64).reshape(-1)
    turns = np.asarray(angles, dtype=np.float64).reshape(-1)
    start = contour.mean(axis=0) if origin is None else np.asarray(origin, dtype=np.float64)
    ways = np.stack([np.cos(turns), np.sin(turns)], axis=1)
    steps = _exits(start - contour, ways, np.array([size[1], size[0]]) / 2, wanted)
    return np.asarray(start + steps[..., None] * ways[:, None])


def _exits(starts: Points, ways: Points, half: Points, distances: Points) -> Points:
    """(A, D) how far along a ray a rectangle is last within a distance of any of K points.

    starts: (K, 2) from each point to the ray's start. Around a point, centres within the distance
    fill a rectangle with round corners: two rectangles and four discs.
    """
    with np.errstate(divide="ignore", invalid="ignore"):
        wide = half + np.stack([distances, 0 * distances], axis=1)
        tall = half + np.stack([0 * distances, distances], axis=1)
        parts = [_from_rectangle(starts, ways, box) for box in (wide, tall)]
    corners = half * np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]])
    parts += [_from_disc(starts - corner, ways, distances) for corner in corners]
    last = np.max(parts, axis=0).max(axis=2)
    return np.where(np.isfinite(last) & (last >= 0), last, np.nan)


def _from_rectangle(starts: Points, ways: Points, half: Points) -> Points:
    """(A, D, K) where rays leave rectangles of half sizes (D, 2) about 0; -inf if they miss."""
    shape = (len(ways), len(half), len(starts))
    enters, leaves = np.full(shape, -np.inf), np.full(shape, np.inf)
    for side in (0, 1):
        way, start = ways[:, None, None, side], starts[None, None, :, side]
        reach = half[None, :, None, side]
        ends = np.sort(np.stack([(-reach - start) / way, (reach - start) / way]), axis=0)
        along = np.broadcast_to(way == 0, shape)
        within = np.broadcast_to(np.abs(start) <= reach, shape)
        low = np.where(along, np.where(within, -np.inf, np.inf), ends[0])
        high = np.where(along, np.where(within, np.inf, -np.inf), ends[1])
        enters, leaves = np.maximum(enters, low), np.minimum(leaves, high)
    return np.where(enters <= leaves, leaves, -np.inf)


def _from_disc(starts: Points, ways: Points, radii: Points) -> Points:
    """(A, D, K) where rays leave discs of radii (D,) about 0; -inf if they miss."""
    middle = -(ways @ starts.T)[:, None, :]
    beside = (starts**2).sum(axis=1)[None, None, :] - middle**2
    room = radii[None, :, None] ** 2 - beside
    return np.where(room >= 0, middle + np.sqrt(np.maximum(room, 0)), -np.inf)
