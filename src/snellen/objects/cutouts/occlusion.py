"""Occlusion of objects by each other, estimated from their masks or boxes."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from snellen.objects.cutouts.alpha import Window
from snellen.vision.arrays import F64, Bools, Ints
from snellen.vision.boxes.box_geometry import overlap

WITHIN = 0.8
"""Share of a box inside another from which it counts as within that box."""
ENTANGLED = 0.3
"""Share of a box inside another from which either may be in front, as of a horse and its rider."""
LEVEL = 0.1
"""How much higher, as a share of an object's height, the base of one in front of it may be."""
REACH = 4
"""Pixels between two masks that touch: VOC's leave an unlabelled line between two objects."""


def in_front(boxes: npt.ArrayLike) -> Bools:
    """(N, N) [i, k]: whether object k may be in front of object i.

    boxes: (N, 4) xyxy. An object within the box of another is in front of it (a person in front of
    a bus). Otherwise, the one whose base is lower in the image is in front, as it is nearer on
    level ground; where the bases are about level or the boxes overlap much, either may be.
    """
    corners = np.asarray(boxes, dtype=np.float64).reshape(-1, 4)
    shares = overlap(corners, corners)
    inside = shares >= WITHIN
    heights = corners[:, 3] - corners[:, 1]
    lower = corners[None, :, 3] > corners[:, None, 3] - LEVEL * heights[:, None]
    mutual = inside & inside.T
    either = lower | (shares >= ENTANGLED)
    front = np.where(mutual | ~(inside | inside.T), either, inside.T)
    np.fill_diagonal(front, False)
    return np.asarray(front, dtype=bool)


def hidden_by_masks(masks: Sequence[Bools], windows: Sequence[Window]) -> F64:
    """(N,) the occluded share of each object.

    masks: N masks of one image, H x W. windows: their boxes. The larger of two shares counts: of
    the outline that touches an object in front, and of the pixels shared with one.
    """
    front = in_front(windows)
    return np.array(
        [_occluded(k, masks, windows, np.flatnonzero(front[k])) for k in range(len(masks))],
        dtype=np.float64,
    )


def _occluded(k: int, masks: Sequence[Bools], windows: Sequence[Window], others: Ints) -> float:
    import cv2

    height, width = masks[k].shape
    x1, y1, x2, y2 = windows[k]
    far = REACH + 2
    view = np.s_[max(0, y1 - far) : min(height, y2 + far), max(0, x1 - far) : min(width, x2 + far)]
    near = [masks[i][view] for i in others if _meet(windows[k], windows[i])]
    if not near:
        return 0.0
    own, rest = masks[k][view], np.logical_or.reduce(near)
    rim = (cv2.dilate(own.astype(np.uint8), np.ones((5, 5), np.uint8)) > 0) & ~own
    side = 2 * REACH + 1
    close = cv2.dilate(rest.astype(np.uint8), np.ones((side, side), np.uint8)) > 0
    return float(max((rim & close).sum() / max(1, rim.sum()), (own & rest).sum() / own.sum()))


def _meet(a: Window, b: Window, slack: int = REACH + 2) -> bool:
    return (
        a[0] < b[2] + slack and b[0] < a[2] + slack and a[1] < b[3] + slack and b[1] < a[3] + slack
    )


def hidden_by_boxes(boxes: npt.ArrayLike) -> F64:
    """(N,) an upper bound of the occluded share of each box: the sum over boxes in front of it.

    >>> hidden_by_boxes([[0, 0, 10, 10], [5, 0, 15, 20], [50, 50, 60, 60]]).tolist()
    [0.5, 0.0, 0.0]
    """
    corners = np.asarray(boxes, dtype=np.float64).reshape(-1, 4)
    shares = np.asarray(overlap(corners, corners), dtype=np.float64) * in_front(corners)
    return np.asarray(np.minimum(1.0, shares.sum(axis=1)))
