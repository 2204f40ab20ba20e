"""Cut-outs with a soft edge from masks.

Opacity depends only on the mask, not on colours, so that a white object has no holes. The edge
fades inwards over about a pixel: no pixel outside the mask becomes visible, and background mixed
into pixels of the edge is replaced by the colour next to them inside.
"""

from __future__ import annotations

from typing import TypeAlias

import numpy as np

from snellen.objects.cutouts.cutout import Cutout
from snellen.vision.arrays import Bools, Bytes, Image

Window: TypeAlias = tuple[int, int, int, int]

MARGIN = 3
_SIGMA = 0.7
_FAINTEST = 0.25


def window_of(mask: Bools) -> Window | None:
    """The box x1 y1 x2 y2, half-open, around the pixels of a mask; None if it is empty."""
    rows, columns = np.flatnonzero(mask.any(axis=1)), np.flatnonzero(mask.any(axis=0))
    if not len(rows):
        return None
    return int(columns[0]), int(rows[0]), int(columns[-1]) + 1, int(rows[-1]) + 1


def soft_alpha(mask: Bools) -> Bytes:
    """(H, W) opacity of a mask, 0 to 255: 255 inside, less at its edge, 0 outside.

    The staircase of the edge is smoothed; lines one pixel wide stay visible.

    >>> square = np.zeros((7, 7), bool)
    >>> square[1:6, 1:6] = True
    >>> soft_alpha(square)[3].tolist()
    [0, 145, 250, 255, 250, 145, 0]
    """
    import cv2

    padded = np.pad(mask, MARGIN).astype(np.float32)
    blurred = cv2.GaussianBlur(padded, (0, 0), _SIGMA)[MARGIN:-MARGIN, MARGIN:-MARGIN]
    inward = np.where(mask, np.clip(2 * blurred - 1, _FAINTEST, 1), 0)
    return np.asarray(np.rint(inward * 255), dtype=np.uint8)


def cut_out(image: Image, mask: Bools, label: str, source: str = "") -> Cutout:
    """The object under a mask, cropped to it. image: (H, W, 3) RGB. mask: (H, W), not empty."""
    window = window_of(mask)
    if window is None:
        raise ValueError("an empty mask has no object to cut out")
    x1, y1, x2, y2 = window
    alpha = soft_alpha(mask[y1:y2, x1:x2])
    colours = inner_colours(image[y1:y2, x1:x2], alpha)
    return Cutout(label, np.dstack([colours, alpha]), source)


def inner_colours(pixels: Image, alpha: Bytes) -> Image:
    """The pixels, mixed with the colour of the nearest opaque pixel as far as they are transparent.

    Fully transparent pixels get that colour, so that resizing mixes in no background.
    """
    import cv2

    opaque = alpha >= 250
    if opaque.all() or not opaque.any():
        return pixels
    _, nearest = cv2.distanceTransformWithLabels(
        (~opaque).astype(np.uint8), cv2.DIST_L2, 5, labelType=cv2.DIST_LABEL_PIXEL
    )
    palette = np.zeros((int(nearest.max()) + 1, 3), dtype=np.float32)
    palette[nearest[opaque]] = pixels[opaque]
    clear = ~opaque
    own = alpha[clear].astype(np.float32)[:, None] / 255
    out = pixels.copy()
    out[clear] = np.rint(own * pixels[clear] + (1 - own) * palette[nearest[clear]])
    return out
