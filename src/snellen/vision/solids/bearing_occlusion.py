"""Occlusion of boxes by other boxes as seen from the LiDAR, by bearing alone."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from snellen.vision.arrays import F64, Boxes3D
from snellen.vision.solids.boxes3d import corners, wrapped


@dataclass(frozen=True, eq=False)
class BearingSpans:
    """The horizontal angles that boxes cover as seen from the origin.

    bearings: (N,) radians of the middle, counter-clockwise from +x. halves: (N,) half the angle.
    distances: (N,) metres to the centre of the box.
    """

    bearings: F64
    halves: F64
    distances: F64

    @classmethod
    def of(cls, boxes: Boxes3D) -> BearingSpans:
        """The spans of boxes (N, 7) in the LiDAR frame."""
        rows = np.asarray(boxes, dtype=np.float64).reshape(-1, 7)
        middles = np.arctan2(rows[:, 1], rows[:, 0])
        edges = corners(rows)[:, :4, :2]
        turns = wrapped(np.arctan2(edges[..., 1], edges[..., 0]) - middles[:, None])
        low, high = turns.min(axis=1, initial=0.0), turns.max(axis=1, initial=0.0)
        return cls(middles + (low + high) / 2, (high - low) / 2, np.hypot(rows[:, 0], rows[:, 1]))

    def common(self, other: BearingSpans) -> F64:
        """(N, M) radians that each span shares with each of the others."""
        apart = np.abs(wrapped(self.bearings[:, None] - other.bearings[None]))
        reach = self.halves[:, None] + other.halves[None]
        least = 2 * np.minimum(self.halves[:, None], other.halves[None])
        return np.asarray(np.clip(reach - apart, 0.0, least))


def hidden_shares(boxes: Boxes3D, by: Boxes3D) -> F64:
    """(N, M) the share of the angle of each box that each of M nearer boxes hides.

    Heights are ignored, so a low object hides as much as a high one.

    >>> car, wall = [20, 0, 0, 4, 2, 1.5, 0], [10, 0, 0, 1, 9, 3, 0]
    >>> hidden_shares([car], [wall]).tolist(), hidden_shares([wall], [car]).tolist()
    ([[1.0]], [[0.0]])
    """
    seen, others = BearingSpans.of(boxes), BearingSpans.of(by)
    nearer = others.distances[None] < seen.distances[:, None]
    share = seen.common(others) / np.maximum(2 * seen.halves[:, None], 1e-9)
    return np.asarray(np.where(nearer, share, 0.0))
