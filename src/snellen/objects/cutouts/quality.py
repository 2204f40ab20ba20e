"""Quality of a cut-out, measured from its mask, its pixels and its surroundings."""

from __future__ import annotations

import numpy as np

from snellen.objects.cutouts.alpha import Window
from snellen.vision.arrays import AnyArray, Bools, Bytes, Image
from snellen.vision.image_features.edge_blur import edge_blur

COMMON_SIDE = 64
"""Side in pixels of the square to whose area an object is shrunk before measuring sharpness."""

UNKNOWN_SHARPNESS = 1.0
"""The sharpness of an object for which it cannot be measured."""

SPECK = 0.01
"""Share of a mask below which a separate part is a speck, not a fragment."""


def without_specks(mask: Bools) -> tuple[Bools, int]:
    """The mask without specks, and the number of its 8-connected parts."""
    import cv2

    count, parts, stats, _ = cv2.connectedComponentsWithStats(mask.astype(np.uint8), connectivity=8)
    if count <= 2:
        return mask, count - 1
    areas = stats[:, cv2.CC_STAT_AREA].astype(np.float64)
    areas[0] = 0
    large = areas >= max(SPECK * areas.sum(), 1)
    return large[parts], int(large.sum())


def hole_share(mask: Bools) -> float:
    """The share of holes in the area inside the outer outlines of a mask.

    >>> ring = np.ones((10, 10), bool)
    >>> ring[4:6, 3:8] = False
    >>> round(hole_share(ring), 3)
    0.1
    """
    import cv2

    outlines, _ = cv2.findContours(
        np.pad(mask, 1).astype(np.uint8), cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE
    )
    full = np.zeros((mask.shape[0] + 2, mask.shape[1] + 2), np.uint8)
    cv2.drawContours(full, outlines, -1, 1, cv2.FILLED)
    filled = int(full.sum())
    return 1 - int(mask.sum()) / filled if filled else 0.0


BORDER = 3
"""Pixels from the border of an image within which an object counts as cut off by it."""


def touches_border(window: Window, size: tuple[int, int]) -> bool:
    """Whether a window x1 y1 x2 y2 is within 3 pixels of the border of a (height, width) image.

    >>> touches_border((3, 5, 9, 9), (50, 50)), touches_border((4, 5, 9, 46), (50, 50))
    (True, False)
    """
    x1, y1, x2, y2 = window
    return min(x1, y1, size[1] - x2, size[0] - y2) <= BORDER


def sharpness(pixels: Image, mask: Bools) -> float:
    """Variance of the Laplacian divided by the variance of grey, inside the mask, at a common size.

    About 0 for a blurred object, higher the more of its contrast is fine detail. pixels:
    H x W x 3 RGB. 1 for an object without contrast or too thin to have an inside.
    """
    import cv2

    grey = cv2.cvtColor(np.ascontiguousarray(pixels), cv2.COLOR_RGB2GRAY).astype(np.float32)
    scale = min(1.0, COMMON_SIDE / max(1.0, float(mask.sum()) ** 0.5))
    size = max(3, round(mask.shape[1] * scale)), max(3, round(mask.shape[0] * scale))
    grey = cv2.resize(grey, size, interpolation=cv2.INTER_AREA)
    share = cv2.resize(mask.astype(np.float32), size, interpolation=cv2.INTER_AREA)
    inside = cv2.erode((share > 0.99).astype(np.uint8), np.ones((3, 3), np.uint8)) > 0
    if inside.sum() < 9:
        return UNKNOWN_SHARPNESS
    detail, contrast = cv2.Laplacian(grey, cv2.CV_32F)[inside].var(), grey[inside].var()
    return float(detail / contrast) if contrast > 1 else UNKNOWN_SHARPNESS


FEATURELESS = 1.5
"""The blur, in pixels, that an object without edges inside is taken to have."""
PIXEL = 0.58
"""The width of the sharpest edge that pixels can show, as the sigma of a Gaussian."""


def detail(pixels: Bytes) -> float:
    """How many details a cut-out has across: the root of its area over the width of its edges.

    pixels: H x W x 4 RGBA. It is small if the object is small or blurred. One without edges inside
    is taken to be blurred.
    """
    import cv2

    solid = pixels[..., 3] >= 250
    inside = cv2.erode(solid.astype(np.uint8), np.ones((3, 3), np.uint8)) > 0
    blur = edge_blur(pixels[..., :3], inside)
    width = FEATURELESS if blur is None else float(np.hypot(blur, PIXEL))
    return float(np.sqrt(solid.sum())) / width


def edge_contrast(pixels: Image, mask: Bools, reach: int = 3) -> float:
    """Mean colour difference across the edge of a mask, 0 to 1.

    pixels: H x W x 3 RGB with some surroundings. The means of pixels within `reach` on either side
    are compared.
    """
    import cv2

    outline = mask & (cv2.erode(mask.astype(np.uint8), np.ones((3, 3), np.uint8)) == 0)
    inner, outer = (_means_near(pixels, side, outline, reach) for side in (mask, ~mask))
    difference = np.abs(inner - outer)
    both = np.isfinite(difference[:, 0])
    return float(difference[both].mean() / 255) if both.any() else 0.0


def _means_near(pixels: Image, mask: Bools, at: Bools, reach: int) -> AnyArray:
    """(N, 3) mean colour of the mask around each of N pixels; NaN where there is none."""
    import cv2

    side = (2 * reach + 1, 2 * reach + 1)
    weight = mask.astype(np.float32)
    total = cv2.boxFilter(weight, -1, side, normalize=False)[at]
    own = cv2.bitwise_and(pixels, pixels, mask=mask.astype(np.uint8))
    light = cv2.boxFilter(own, cv2.CV_32F, side, normalize=False)[at]
    out = np.full(light.shape, np.nan, dtype=np.float32)
    np.divide(light, total[:, None], out=out, where=total[:, None] > 0.5)
    return out
