"""The rectangle around the returns of one object in bird's-eye view, by L-shape fitting."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from snellen.vision.arrays import F64, Bools

STEPS = 60
"""Number of headings tried, evenly spaced over a quarter turn."""

NEAREST = 0.1
"""Lower bound in metres of a return's distance to a side in the closeness criterion."""

SECTORS = 600
"""Sectors per half turn. In each, only the nearest returns are used for the heading: those behind
are on a roof or seen through a window, not on a side."""

DEPTH = 0.25
"""Metres behind the nearest return of a sector within which others are used too."""

OUTLIERS = 0.05
"""The share of returns at either end of an axis, such as mirrors, ignored in the search for the
heading; a fifth of it for the rectangle itself."""


class Rectangle(NamedTuple):
    """A rectangle around returns.

    yaw: radians of its first axis, in [0, pi / 2). low, high: (2,) its extent along its first and
    second axis, metres from the LiDAR. closeness: mean closeness of the returns to the sides, 0 to
    1.
    """

    yaw: float
    low: F64
    high: F64
    closeness: float

    @property
    def sides(self) -> F64:
        """(2,) metres along the first and the second axis."""
        return self.high - self.low

    @property
    def width_seen(self) -> float:
        """Width in metres perpendicular to the line of sight."""
        middle = self.low + self.high
        along, across = np.abs(middle) / max(float(np.hypot(*middle)), 1e-6)
        return float(self.sides[0] * across + self.sides[1] * along)


def rectangle_around(points: F64) -> Rectangle:
    """The rectangle with the heading at which the returns are closest to its sides.

    points: (N, 2) or more columns, metres in the LiDAR frame, N > 0. L-shape fitting with the
    closeness criterion handles both a car seen from a corner, whose returns form an L, and one of
    which only the back is visible.

    >>> side = np.column_stack([np.linspace(10, 14, 50), np.zeros(50)])
    >>> back = np.column_stack([np.full(20, 10.0), np.linspace(0, 1.7, 20)])
    >>> found = rectangle_around(np.vstack([side, back]))
    >>> round(found.yaw, 2), found.sides.round(1).tolist()
    (0.0, [3.9, 1.6])
    """
    flat = np.asarray(points[:, :2], dtype=np.float64)
    some = flat[_foremost(flat)]
    yaws = np.linspace(0, np.pi / 2, STEPS, endpoint=False, dtype=np.float64)
    along, across = _rotated(some, yaws)
    nearness = 1 / np.maximum(np.minimum(_to_sides(along), _to_sides(across)), NEAREST)
    scores = nearness.mean(axis=1) * NEAREST
    best = int(np.argmax(scores))
    yaw = float(yaws[best])
    both = np.column_stack([side[0] for side in _rotated(flat, yaws[best : best + 1])])
    low, high = np.quantile(both, [OUTLIERS / 5, 1 - OUTLIERS / 5], axis=0, method="nearest")
    return Rectangle(yaw, low, high, float(scores[best]))


def _foremost(points: F64) -> Bools:
    """(N,) which points are the nearest to the LiDAR in their sector, or close behind."""
    range_ = np.hypot(points[:, 0], points[:, 1])
    bearing = np.arctan2(points[:, 1], points[:, 0])
    sector = np.floor(bearing * (SECTORS / np.pi)).astype(np.int64)
    _, place = np.unique(sector, return_inverse=True)
    nearest = np.full(place.max() + 1, np.inf)
    np.minimum.at(nearest, place, range_)
    return np.asarray(range_ <= nearest[place] + DEPTH)


def _rotated(points: F64, yaws: F64) -> tuple[F64, F64]:
    """(H, N) coordinates along and across each of H headings."""
    cos, sin = np.cos(yaws)[:, None], np.sin(yaws)[:, None]
    x, y = points[None, :, 0], points[None, :, 1]
    return x * cos + y * sin, y * cos - x * sin


def _to_sides(values: F64) -> F64:
    """(H, N) metres to the nearer of the two sides along one axis of each heading."""
    low, high = np.quantile(values, [OUTLIERS, 1 - OUTLIERS], axis=1)[:, :, None]
    return np.asarray(np.minimum(np.abs(values - low), np.abs(high - values)))
