"""How much of each object another one hides, from their masks or boxes alone."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from snellen.objects.cutouts.alpha import Window
from snellen.vision.arrays import F64, Bools, Ints
from snellen.vision.boxes.box_geometry import overlap

WITHIN = 0.8
"""Share of a box inside another from which it is taken to be part of that one's face."""


def in_front(boxes: npt.ArrayLike) -> Bools:
    """Whether object k probably stands in front of object i, shape (N, N) [i, k].

    boxes: (N, 4) xyxy. What lies within another's box is in front of it (a person before a bus);
    else the one whose base is lower in the picture, which on level ground is nearer.
    """
    corners = np.asarray(boxes, dtype=np.float64).reshape(-1, 4)
    inside = overlap(corners, corners) >= WITHIN
    lower = corners[None, :, 3] > corners[:, None, 3]
    mutual = inside & inside.T
    front = np.where(mutual | ~(inside | inside.T), lower, inside.T)
    np.fill_diagonal(front, False)
    return np.asarray(front, dtype=bool)


def hidden_by_masks(masks: Sequence[Bools], windows: Sequence[Window]) -> F64:
    """Share of each object that another one in front of it takes away, shape (N,).

    masks: N of one image, H x W. windows: their boxes. It is the larger of two shares: of the
    object's outline along which it meets such an object, and of its own pixels that are such an
    object's too.
    """
    front = in_front(windows)
    return np.array(
        [_hidden(k, masks, windows, np.flatnonzero(front[k])) for k in range(len(masks))],
        dtype=np.float64,
    )


def _hidden(k: int, masks: Sequence[Bools], windows: Sequence[Window], others: Ints) -> float:
    import cv2

    height, width = masks[k].shape
    x1, y1, x2, y2 = windows[k]
    view = np.s_[max(0, y1 - 2) : min(height, y2 + 2), max(0, x1 - 2) : min(width, x2 + 2)]
    near = [masks[i][view] for i in others if _meet(windows[k], windows[i])]
    if not near:
        return 0.0
    own, rest = masks[k][view], np.logical_or.reduce(near)
    rim = (cv2.dilate(own.astype(np.uint8), np.ones((5, 5), np.uint8)) > 0) & ~own
    return float(max((rim & rest).sum() / max(1, rim.sum()), (own & rest).sum() / own.sum()))


def _meet(a: Window, b: Window, slack: int = 2) -> bool:
    return (
        a[0] < b[2] + slack and b[0] < a[2] + slack and a[1] < b[3] + slack and b[1] < a[3] + slack
    )


def hidden_by_boxes(boxes: npt.ArrayLike) -> F64:
    """Share of each box that boxes in front of it cover, at most, shape (N,); sums over them.

    >>> hidden_by_boxes([[0, 0, 10, 10], [5, 0, 15, 20], [50, 50, 60, 60]]).tolist()
    [0.5, 0.0, 0.0]
    """
    corners = np.asarray(boxes, dtype=np.float64).reshape(-1, 4)
    shares = np.asarray(overlap(corners, corners), dtype=np.float64) * in_front(corners)
    return np.asarray(np.minimum(1.0, shares.sum(axis=1)))
