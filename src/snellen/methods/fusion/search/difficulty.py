"""How much an insertion would strain a subject, from geometry alone and without asking it.

What makes a frame hard while a person still finds it easy: a new object that stands close to
another or hides a part of it, one of which a part is hidden or little is returned, one so near that
it fills much of the view, one at the edge of the camera's view, and one that is seen from a corner.
"""

from __future__ import annotations

import numpy as np

from snellen.vision.arrays import F64
from snellen.vision.solids.bearing_occlusion import BearingSpans, hidden_shares
from snellen.vision.solids.boxes3d import Boxes3D

FEATURES = ("beside", "hiding", "hidden", "sparse", "near", "edge", "oblique")
CLOSE = 1.5
"""Metres over which the nearness of two objects fades."""
BEAM_STEP = (0.0015, 0.0073)
"""Radians between beams of a 64-line LiDAR, in azimuth and in elevation; for ranking only."""
ENOUGH = 40.0
"""Returns at which an object is neither rich nor poor in them."""
NEAR = 20.0
"""Metres over which being near fades."""
EDGE = np.radians(40.0)
"""The bearing at which KITTI's camera sees no more."""
MOST = 0.8
"""The share hidden at which an object is hardest to see and still easy for a person."""


def difficulty_features(candidates: Boxes3D, others: Boxes3D) -> F64:
    """(C, 7) of each candidate box in [0, 1], in the order of FEATURES; others: (N, 7), in place.

    beside: 1 where it touches another, fading with the gap. hiding: the largest share of another's
    width that it hides, nothing where it hides all of it. hidden: likewise the share of its own
    that others hide. sparse: near 1 where it gets few LiDAR returns. near: 1 at the sensor, fading
    with distance. edge: 0 straight on, 1 from EDGE on. oblique: 1 where two of its sides are seen
    alike, 0 where one alone is.
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
    """(A, B) metres between the discs of half-width around the boxes' middles, along the ground."""
    apart = np.hypot(*(a[:, None, axis] - b[None, :, axis] for axis in (0, 1)))
    return np.asarray(np.maximum(apart - (a[:, None, 4] + b[None, :, 4]) / 2, 0.0))


def _partly(share: F64) -> F64:
    """The share while it is partial: as it is up to MOST, then falling to nothing at 1."""
    falling = MOST * np.maximum(1.0 - share, 0.0) / (1.0 - MOST)
    return np.asarray(np.where(share <= MOST, share, falling))
