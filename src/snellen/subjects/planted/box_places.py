"""Free places for a phantom or a shifted box."""

from __future__ import annotations

import numpy as np

from snellen.vision.arrays import F32, Boxes

SIDES = ((1, 0), (-1, 0), (0, 1), (0, -1))
CORNERS = ((1, 1), (-1, 1), (1, -1), (-1, -1))
CLEARANCE = 2.0


def beside(box: F32, others: Boxes, size: tuple[int, int]) -> F32 | None:
    """A box of the same size next to `box`, inside the image and without overlap, or None.

    Tried in order: right, left, below, above, then the corners.
    """
    step = box[2:] - box[:2] + CLEARANCE
    places = [_moved(box, dx * step[0], dy * step[1]) for dx, dy in SIDES + CORNERS]
    return next((place for place in places if _inside(place, size) and _free(place, others)), None)


def shifted(box: F32, share: float, others: Boxes, size: tuple[int, int]) -> F32 | None:
    """`box` moved by a share of its side: the first of right, left, down and up that fits.

    A place without overlap is preferred; None if all leave the image.
    """
    step = (box[2:] - box[:2]) * share
    places = [_moved(box, dx * step[0], dy * step[1]) for dx, dy in SIDES]
    inside = [place for place in places if _inside(place, size)]
    free = [place for place in inside if _free(place, others)]
    return next(iter(free or inside), None)


def _moved(box: F32, dx: float, dy: float) -> F32:
    return np.asarray(box + np.array([dx, dy, dx, dy], dtype=np.float32))


def _inside(box: F32, size: tuple[int, int]) -> bool:
    return bool(box.min() >= 0 and box[2] <= size[1] and box[3] <= size[0])


def _free(box: F32, others: Boxes) -> bool:
    overlap = np.minimum(box[2:], others[:, 2:]) - np.maximum(box[:2], others[:, :2])
    return not (overlap > 0).all(axis=1).any()
