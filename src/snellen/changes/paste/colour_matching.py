"""Colour transfer towards the surroundings, bounded so that the object stays recognisable."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from snellen.changes.paste.scene_crests import scene_crests
from snellen.changes.paste.stencil import to_bytes
from snellen.vision.arrays import F32, Bools, Bytes, Image
from snellen.vision.image_features.edge_blur import EdgeCrests, blur_of_crests, crests_of

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
SAMPLE = 4096
"""Pixels that are enough for the colours of a region."""
_MIN_PIXELS = 16


@dataclass(frozen=True, eq=False)
class Palette:
    """Mean and standard deviation of L*, a*, b* over some pixels.

    blur: the width of their sharpest edges in pixels, None where it is unknown or not needed.
    chroma: the mean distance from grey of the colours that they are compared with, None likewise.
    """

    mean: F32
    spread: F32
    blur: float | None = None
    chroma: float | None = None


def palette(
    pixels: Image,
    weights: Bytes | F32,
    *,
    blur: bool = False,
    crests: tuple[EdgeCrests, EdgeCrests] | None = None,
    corner: tuple[int, int] = (0, 0),
) -> Palette | None:
    """The palette of (h, w, 3) pixels with weights (h, w); None if there are too few pixels.

    blur: whether that is measured, too; the colours are then those of a grid of about 4,000 pixels.
    crests: by `crests_of`, if known, of a picture that has the pixels at `corner` (row, column).
    """
    width = None
    if blur:
        width = blur_of_crests(crests or crests_of(pixels), _interior(weights > 0), *corner)
        step = max(1, math.isqrt(weights.size // SAMPLE))
        pixels, weights = pixels[::step, ::step], weights[::step, ::step]
    chosen = weights > 0
    if np.count_nonzero(chosen) < _MIN_PIXELS:
        return None
    values = to_lab(pixels)[chosen].astype(np.float64)
    share = weights[chosen].astype(np.float64)
    share /= share.sum()
    mean = share @ values
    spread = np.sqrt(share @ (values - mean) ** 2)
    return Palette(mean.astype(np.float32), spread.astype(np.float32), width)


def _interior(chosen: Bools) -> Bools:
    """The pixels whose neighbours are chosen, too, so that no edge of the choice counts."""
    import cv2

    near = cv2.erode(chosen.astype(np.uint8), np.ones((5, 5), np.uint8), borderValue=1)
    return np.asarray(near > 0)


def surrounding_palette(
    image: Image, alpha: Bytes, x: int, y: int, *, blur: bool = False
) -> Palette | None:
    """The palette of the scene around a shape with alpha (h, w), top-left corner at x, y.

    Pixels outside the shape count, up to a quarter of its size (at least 4 pixels) away. blur:
    whether that is measured, too; a* and b* are then those of the whole scene, since a meadow
    colours nothing that stands on it, but the light and the camera do.
    """
    rows, columns = alpha.shape
    margin = max(4, (rows + columns) // 8)
    height, width = image.shape[:2]
    top, left = max(y - margin, 0), max(x - margin, 0)
    bottom, right = min(y + rows + margin, height), min(x + columns + margin, width)
    if bottom <= top or right <= left:
        return None
    free = np.ones((bottom - top, right - left), dtype=np.float32)
    first, start = max(y, 0), max(x, 0)
    last, end = min(y + rows, height), min(x + columns, width)
    shape = alpha[first - y : last - y, start - x : end - x] > 0
    free[first - top : last - top, start - left : end - left][shape] = 0
    view = np.s_[top:bottom, left:right]
    crests = scene_crests(image) if blur else None
    near = palette(image[view], free, blur=blur, crests=crests, corner=(top, left))
    return near if near is None or not blur else _with_cast(near, image)


def _with_cast(near: Palette, image: Image) -> Palette:
    """A palette with the mean a*, b* and chroma of an image, from every 16th row and column."""
    colours = to_lab(image[::16, ::16])[..., 1:].reshape(-1, 2).astype(np.float64)
    mean = np.concatenate([near.mean[:1], colours.mean(axis=0)]).astype(np.float32)
    chroma = float(np.hypot(*colours.T).mean())
    return Palette(mean, near.spread, near.blur, chroma)


def match_palette(
    colours: Image, own: Palette | None, around: Palette | None, lab: F32 | None = None
) -> Image:
    """Colours (h, w, 3), with their palette `own` moved part of the way to the one `around`.

    lab: the colours by `to_lab`, if known.
    """
    import cv2

    if own is None or around is None:
        return colours
    grey = np.array([1, *[_chroma_gain(own, around)] * 2], dtype=np.float32)
    shift = np.clip(SHARE * (around.mean - grey * own.mean), -MAX_SHIFT, MAX_SHIFT)
    ratio = (around.spread[0] + 1) / (own.spread[0] + 1)
    gain = np.float32(np.clip(ratio**SHARE, 1 / MAX_GAIN, MAX_GAIN))
    if not shift.any() and gain == 1 and (grey == 1).all():
        return colours
    lab = (to_lab(colours) if lab is None else lab) * grey
    lab[..., 0] = own.mean[0] + (lab[..., 0] - own.mean[0]) * gain
    rgb = cv2.cvtColor(lab + shift, cv2.COLOR_LAB2RGB)
    return to_bytes(rgb * np.float32(255))


def _chroma_gain(own: Palette, around: Palette) -> float:
    """The share of its chroma that an object keeps; less than 1 in a scene of greys."""
    if around.chroma is None or own.chroma == around.chroma:
        return 1.0
    return min(1.0, around.chroma / GREY)


def match_blur(colours: Image, own: Palette | None, around: Palette | None) -> Image:
    """Colours (h, w, 3) blurred as far as their edges are sharper than those around."""
    import cv2

    if own is None or around is None or own.blur is None or around.blur is None:
        return colours
    square = around.blur**2 - own.blur**2
    if square <= MIN_BLUR**2:
        return colours
    soft: Image = cv2.GaussianBlur(colours, (0, 0), min(MAX_BLUR, float(np.sqrt(square))))
    return soft


def to_lab(pixels: Image) -> F32:
    """(h, w, 3) CIE L*a*b* of RGB pixels."""
    import cv2

    lab: F32 = cv2.cvtColor(pixels.astype(np.float32) / np.float32(255), cv2.COLOR_RGB2LAB)
    return lab
