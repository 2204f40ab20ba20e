"""Colour transfer towards the surroundings, bounded so that the object stays recognisable."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from snellen.changes.paste.stencil import to_bytes
from snellen.vision.arrays import F32, Bytes, Image

SHARE = 0.5
"""Share of the difference that is removed."""
MAX_SHIFT = np.array([15, 8, 8], dtype=np.float32)
"""Largest shift of lightness, green-red and blue-yellow, in units of CIE L*a*b*."""
MAX_GAIN = 1.25
"""Largest factor by which contrast is raised or lowered."""
_MIN_PIXELS = 16


@dataclass(frozen=True, eq=False)
class Palette:
    """Mean and standard deviation of L*, a*, b* over some pixels."""

    mean: F32
    spread: F32


def palette(pixels: Image, weights: Bytes | F32) -> Palette | None:
    """The palette of (h, w, 3) pixels with weights (h, w); None if there are too few pixels."""
    chosen = weights > 0
    if np.count_nonzero(chosen) < _MIN_PIXELS:
        return None
    values = _to_lab(pixels)[chosen].astype(np.float64)
    share = weights[chosen].astype(np.float64)
    share /= share.sum()
    mean = share @ values
    spread = np.sqrt(share @ (values - mean) ** 2)
    return Palette(mean.astype(np.float32), spread.astype(np.float32))


def surrounding_palette(image: Image, alpha: Bytes, x: int, y: int) -> Palette | None:
    """The palette of the scene around a shape with alpha (h, w), top-left corner at x, y.

    Pixels outside the shape count, up to a quarter of its size (at least 4 pixels) away.
    """
    rows, columns = alpha.shape
    margin = max(4, (rows + columns) // 8)
    height, width = image.shape[:2]
    top, left = max(y - margin, 0), max(x - margin, 0)
    bottom, right = min(y + rows + margin, height), min(x + columns + margin, width)
    free = np.ones((bottom - top, right - left), dtype=np.float32)
    first, start = max(y, 0), max(x, 0)
    last, end = min(y + rows, height), min(x + columns, width)
    shape = alpha[first - y : last - y, start - x : end - x] > 0
    free[first - top : last - top, start - left : end - left][shape] = 0
    return palette(image[top:bottom, left:right], free)


def match_palette(colours: Image, own: Palette | None, around: Palette | None) -> Image:
    """Colours (h, w, 3), with their palette `own` moved part of the way to the one `around`."""
    import cv2

    if own is None or around is None:
        return colours
    shift = np.clip(SHARE * (around.mean - own.mean), -MAX_SHIFT, MAX_SHIFT)
    ratio = (around.spread[0] + 1) / (own.spread[0] + 1)
    gain = np.float32(np.clip(ratio**SHARE, 1 / MAX_GAIN, MAX_GAIN))
    if not shift.any() and gain == 1:
        return colours
    lab = _to_lab(colours)
    lab[..., 0] = own.mean[0] + (lab[..., 0] - own.mean[0]) * gain
    rgb = cv2.cvtColor(lab + shift, cv2.COLOR_LAB2RGB)
    return to_bytes(rgb * np.float32(255))


def _to_lab(pixels: Image) -> F32:
    import cv2

    lab: F32 = cv2.cvtColor(pixels.astype(np.float32) / np.float32(255), cv2.COLOR_RGB2LAB)
    return lab
