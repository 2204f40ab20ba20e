"""The mask of an object of which only the box is known.

GrabCut separates an object from its background by colour. On its own it takes shadows and road for
parts of a car, and windows for road. So it starts from a prior: an object fills its box like a
rounded rectangle, certainly so in its core and never beyond the box. The result is smoothed, its
holes are filled, and its largest part is taken.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from snellen.vision.arrays import F64, Bools, Bytes, Image

WORKING_SIDE = 160
"""Longer side of the box in pixels at which GrabCut runs."""
ROOM = 0.25
"""Margin on each side that counts as background, as a share of the box."""
ROUNDNESS = 5.0
"""Exponent of the superellipse; 2 is an ellipse, a large one nearly a rectangle."""
CORE, LIKELY = 0.7, 0.97
"""Sizes, as shares of the box, of the regions that are certainly and probably the object."""
SLACK = 1.03
"""How far an object may extend beyond its box, as a factor."""
SMOOTHING = 0.05
"""Radius of the smoothing as a share of the shorter side of the box."""
ITERATIONS = 3
SEED = 1


def mask_in_box(image: Image, box: npt.ArrayLike) -> Bools:
    """(H, W) mask of the object in a box; empty if none was found.

    image: H x W x 3 RGB. box: xyxy pixels, at least 8 wide and high.
    """
    import cv2

    corners = np.asarray(box, dtype=np.float64)
    mask = np.zeros(image.shape[:2], dtype=bool)
    frame = _frame(corners, image.shape[:2])
    if frame is None:
        return mask
    x1, y1, x2, y2 = frame
    patch, inner = image[y1:y2, x1:x2], corners - [x1, y1, x1, y1]
    scale = min(1.0, WORKING_SIDE / float(max(inner[2] - inner[0], inner[3] - inner[1])))
    size = max(8, round(patch.shape[1] * scale)), max(8, round(patch.shape[0] * scale))
    small = cv2.resize(patch, size, interpolation=cv2.INTER_AREA)
    ratio = np.array([size[0] / patch.shape[1], size[1] / patch.shape[0]] * 2)
    found = _segment(small, inner * ratio)
    if found is None:
        return mask
    soft = cv2.resize(found.astype(np.float32), patch.shape[1::-1], interpolation=cv2.INTER_LINEAR)
    mask[y1:y2, x1:x2] = soft > 0.5
    return mask


def _frame(box: F64, size: tuple[int, ...]) -> tuple[int, int, int, int] | None:
    width, height = box[2] - box[0], box[3] - box[1]
    if width < 8 or height < 8:
        return None
    room = np.array([width, height, width, height]) * ROOM + 4
    low, high = np.floor(box - room), np.ceil(box + room)
    return (
        max(0, int(low[0])),
        max(0, int(low[1])),
        min(size[1], int(high[2])),
        min(size[0], int(high[3])),
    )


def _segment(pixels: Image, box: F64) -> Bools | None:
    import cv2

    state = _prior(pixels.shape[:2], box)
    cv2.setRNGSeed(SEED)
    models = np.zeros((1, 65)), np.zeros((1, 65))
    try:
        cv2.grabCut(pixels, state, None, *models, ITERATIONS, cv2.GC_INIT_WITH_MASK)
    except cv2.error:
        return None
    found = (state == cv2.GC_FGD) | (state == cv2.GC_PR_FGD)
    return _clean_up(found, box)


def _prior(size: tuple[int, ...], box: F64) -> Bytes:
    import cv2

    x1, y1, x2, y2 = box
    rows, columns = np.indices(size) + 0.5
    across = np.abs(columns - (x1 + x2) / 2) / ((x2 - x1) / 2)
    down = np.abs(rows - (y1 + y2) / 2) / ((y2 - y1) / 2)
    radius = (across**ROUNDNESS + down**ROUNDNESS) ** (1 / ROUNDNESS)
    state = np.full(size, cv2.GC_BGD, np.uint8)
    state[(across <= SLACK) & (down <= SLACK)] = cv2.GC_PR_BGD
    state[radius <= LIKELY] = cv2.GC_PR_FGD
    state[radius <= CORE] = cv2.GC_FGD
    return state


def _clean_up(found: Bools, box: F64) -> Bools | None:
    import cv2

    reach = max(1, round(SMOOTHING * float(min(box[2] - box[0], box[3] - box[1]))))
    disc = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (2 * reach + 1, 2 * reach + 1))
    smooth = cv2.morphologyEx(found.astype(np.uint8), cv2.MORPH_CLOSE, disc)
    smooth = cv2.morphologyEx(smooth, cv2.MORPH_OPEN, disc)
    count, parts, stats, _ = cv2.connectedComponentsWithStats(smooth)
    if count < 2:
        return None
    largest = parts == 1 + int(np.argmax(stats[1:, cv2.CC_STAT_AREA]))
    outlines, _ = cv2.findContours(
        largest.astype(np.uint8), cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE
    )
    full = np.zeros(found.shape, np.uint8)
    cv2.drawContours(full, outlines, -1, 1, cv2.FILLED)
    return np.asarray(full, dtype=bool)
