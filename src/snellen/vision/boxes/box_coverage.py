"""How far boxes cover one another: by a union of boxes, and as one box around several."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from snellen.vision.arrays import Bools
from snellen.vision.boxes.box_geometry import iou, overlap

MOST = 0.5
"""The share of a box from which on it counts as mostly covered."""
SPANNED = 0.5
"""The lowest IoU of a box with the rectangle around the boxes that it merges."""


def covered_share(box: npt.ArrayLike, others: npt.ArrayLike) -> float:
    """The share of a box's area that lies in the union of other boxes, each xyxy.

    >>> covered_share([0, 0, 4, 4], [[0, 0, 2, 4], [1, 0, 3, 4]])
    0.75
    """
    x1, y1, x2, y2 = np.asarray(box, dtype=np.float64)
    rest = np.asarray(others, dtype=np.float64).reshape(-1, 4)
    size = (x2 - x1) * (y2 - y1)
    if size <= 0 or not len(rest):
        return 0.0
    lefts, rights = rest[:, 0].clip(x1, x2), rest[:, 2].clip(x1, x2)
    tops, bottoms = rest[:, 1].clip(y1, y2), rest[:, 3].clip(y1, y2)
    xs, ys = np.unique([*lefts, *rights]), np.unique([*tops, *bottoms])
    across = (lefts[:, None] <= xs[:-1]) & (xs[1:] <= rights[:, None])
    down = (tops[:, None] <= ys[:-1]) & (ys[1:] <= bottoms[:, None])
    inside = (down[:, :, None] & across[:, None, :]).any(axis=0)
    return float((inside * np.outer(np.diff(ys), np.diff(xs))).sum() / size)


def merged_boxes(box: npt.ArrayLike, others: npt.ArrayLike) -> Bools:
    """Which other boxes one box merges, (M,): it covers most of each, and little else around them.

    All False unless there are at least two, and the box has IoU 0.5 or more with the smallest
    rectangle around them.

    >>> merged_boxes([0, 0, 10, 4], [[0, 0, 4, 4], [6, 0, 10, 4], [90, 0, 99, 9]]).tolist()
    [True, True, False]
    """
    rest = np.asarray(others, dtype=np.float64).reshape(-1, 4)
    if not len(rest):
        return np.zeros(0, dtype=bool)
    covers: Bools = np.asarray(overlap(rest, box)[:, 0] >= MOST)
    chosen = rest[covers]
    if len(chosen) < 2:
        return np.zeros(len(rest), dtype=bool)
    around = [*chosen[:, :2].min(axis=0), *chosen[:, 2:].max(axis=0)]
    return covers if iou(box, around)[0, 0] >= SPANNED else np.zeros(len(rest), dtype=bool)
