"""Colour transfer towards the surroundings, bounded so that the object stays recognisable."""

from __future__ import annotations

import numpy as np

from snellen.changes.paste.palette import Palette, to_lab
from snellen.changes.paste.stencil import to_bytes
from snellen.vision.arrays import F32, Image

SHARE = 0.5
"""Share of the difference that is removed."""
MAX_SHIFT = np.array([15, 8, 8], dtype=np.float32)
"""Largest shift of lightness, green-red and blue-yellow, in units of CIE L*a*b*."""
MAX_GAIN = 1.25
"""Largest factor by which contrast is raised or lowered."""
GREY = 4.0
"""The mean chroma below which a scene counts as black and white, by degrees."""
MIN_BLUR, MAX_BLUR = 0.3, 1.5
"""The least blur that is added, and the most, as the sigma of a Gaussian in pixels."""


def match_palette(
    colours: Image, own: Palette | None, around: Palette | None, lab: F32 | None = None
) -> Image:
    """Colours (h, w, 3), with their palette `own` moved part of the way to the one `around`.

    lab: the colours by `to_lab`, if known.
    """
    import cv2

    if own is None or around is None:
        return colours
    grey: F32 = np.array([1, *[_chroma_gain(own, around)] * 2], dtype=np.float32)
    shift: F32 = np.clip(SHARE * (around.mean - grey * own.mean), -MAX_SHIFT, MAX_SHIFT)
    ratio = (around.spread[0] + 1) / (own.spread[0] + 1)
    gain = np.float32(np.clip(ratio**SHARE, 1 / MAX_GAIN, MAX_GAIN))
    if not shift.any() and gain == 1 and (grey == 1).all():
        return colours
    lab = to_lab(colours) if lab is None else lab
    if (grey != 1).any():
        lab = _in_rows(np.multiply, lab, grey)
    contrast = np.array([gain, 1, 1], dtype=np.float32)
    level = np.array([own.mean[0], 0, 0], dtype=np.float32)
    moved = _in_rows(np.subtract, lab, level)
    for change, values in ((np.multiply, contrast), (np.add, level), (np.add, shift)):
        _in_rows(change, moved, values, out=moved)
    rgb = cv2.cvtColor(moved, cv2.COLOR_LAB2RGB)
    rgb *= np.float32(255)
    return to_bytes(rgb)


def _in_rows(change: np.ufunc, image: F32, values: F32, out: F32 | None = None) -> F32:
    """`change(image, values)` for (h, w, 3) and (3,), whole rows at a time, which is faster."""
    rows, columns = image.shape[:2]
    flat = image.reshape(rows, -1)
    into = None if out is None else out.reshape(rows, -1)
    return np.asarray(change(flat, np.tile(values, columns), out=into)).reshape(image.shape)


def _chroma_gain(own: Palette, around: Palette) -> float:
    """The share of its chroma that an object keeps; less than 1 in a scene of greys."""
    if around.chroma is None or own.chroma == around.chroma:
        return 1.0
    return min(1.0, around.chroma / GREY)


def is_blurred(width: float | None) -> bool:
    """Whether edges of this width in pixels are softer than the sharpest there are."""
    return width is not None and width**2 > MIN_BLUR**2


def match_blur(colours: Image, own: float | None, around: float | None) -> Image:
    """Colours (h, w, 3) blurred as far as their edges are sharper than those around.

    own, around: the widths of the edges in pixels, None where they are unknown.
    """
    import cv2

    if own is None or around is None:
        return colours
    square = around**2 - own**2
    if square <= MIN_BLUR**2:
        return colours
    soft: Image = cv2.GaussianBlur(colours, (0, 0), min(MAX_BLUR, float(np.sqrt(square))))
    return soft
