"""How difficult an insertion is for a subject, from geometry alone.

A frame is hard, though easy for a person, with a new object that is close to another or hides part
of it, is partly hidden or has few returns, is so near that it fills much of the view, is at the
edge of the camera's view, or is seen from a corner.
"""

from __future__ import annotations

import numpy as np

from snellen.vision.arrays import F64, Boxes3D
from snellen.vision.solids.bearing_occlusion import BearingSpans, hidden_shares

FEATURES = ("beside", "hiding", "hidden", "sparse", "near", "edge", "oblique")
CLOSE = 1.5
"""Decay length of the nearness of two objects, in metres."""
BEAM_STEP = (0.0015, 0.0073)
"""Radians between beams of a 64-line LiDAR, in azimuth and in elevation; for ranking only."""
ENOUGH = 40.0
"""Returns at which `sparse` is one half."""
NEAR = 20.0
"""Decay length of `near`, in metres."""
EDGE = np.radians(40.0)
"""The bearing at the edge of the view of KITTI's camera."""
MOST = 0.8
"""The hidden share at which an object is hardest yet still easy for a person."""


def difficulty_features(candidates: Boxes3D, others: Boxes3D) -> F64:
    """(C, 7) of each candidate box in [0, 1], in the order of FEATURES; others: (N, 7), in place.

    beside: 1 where it touches another, fading with the gap. hiding: the largest share of another's
    width that it hides, 0 where it hides all of it. hidden: likewise the share of its own width
    that others hide. sparse: near 1 where it gets few LiDAR returns. near: 1 at the sensor, fading
    with distance. edge: 0 straight ahead, 1 from EDGE on. oblique: 1 where two of its sides are
    equally visible, 0 where only one is.
    """
    rows = np.asarray(candidates, dtype=np.float64).reshape(-1, 7)
    made = np.zeros((len(rows), len(FEATURES)))
    if len(others):
        made[:, 0] = np.exp(-_gaps(rows, np.asarray(others)).min(axis=1) / CLOSE)
        made[:, 1] = _partly(hidden_shares(others, rows).T).max(axis=1)
        made[:, 2] = _partly(hidden_shares(rows, others)).max(axis=1)
    seen = BearingSpans.of(rows)
    wide = 2 * seen.halves / BEAM_STEP[0]
    high = rows[:, 5] / np.maximum(seen.distances, 1.0) / BEAM_STEP[1]
    made[:, 3] = ENOUGH / (ENOUGH + wide * high)
    bearings = np.arctan2(rows[:, 1], rows[:, 0])
    made[:, 4] = np.exp(-seen.distances / NEAR)
    made[:, 5] = np.minimum(np.abs(bearings) / EDGE, 1.0)
    made[:, 6] = np.abs(np.sin(2 * (rows[:, 6] - bearings)))
    return made


def _gaps(a: Boxes3D, b: Boxes3D) -> F64:
    """(A, B) metres on the ground between discs of half-width around the boxes' centres."""
    apart = np.hypot(*(a[:, None, axis] - b[None, :, axis] for axis in (0, 1)))
    return np.asarray(np.maximum(apart - (a[:, None, 4] + b[None, :, 4]) / 2, 0.0))


def _partly(share: F64) -> F64:
    """The share up to MOST, then falling to 0 at 1."""
    falling = MOST * np.maximum(1.0 - share, 0.0) / (1.0 - MOST)
    return np.asarray(np.where(share <= MOST, share, falling))
