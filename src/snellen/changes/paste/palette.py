"""The palette of some pixels: their colours in CIE L*a*b* and the width of their edges."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from snellen.vision.arrays import F32, AnyArray, Bools, Bytes, Image
from snellen.vision.image_features.edge_blur import blur_of_crests
from snellen.vision.image_features.edge_crests import EdgeCrests

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
    weights: Bytes | Bools,
    *,
    sampled: bool = False,
) -> Palette | None:
    """The palette of (h, w, 3) pixels with weights (h, w); None if there are too few pixels.

    sampled: whether a grid of about 4,000 pixels is enough.
    """
    if sampled:
        step = max(1, math.isqrt(weights.size // SAMPLE))
        pixels, weights = pixels[::step, ::step], weights[::step, ::step]
    chosen = weights > 0
    if np.count_nonzero(chosen) < _MIN_PIXELS:
        return None
    values = to_lab(_chosen(pixels, chosen)).astype(np.float64)[0]
    share = weights[chosen].astype(np.float64)
    share /= share.sum()
    mean = share @ values
    spread = np.sqrt(share @ (values - mean) ** 2)
    return Palette(mean.astype(np.float32), spread.astype(np.float32))


def blur_within(
    crests: tuple[EdgeCrests, EdgeCrests], weights: Bytes | Bools, top: int = 0, left: int = 0
) -> float | None:
    """The width in pixels of the sharpest edges within the weights (h, w); None without edges.

    crests: of a picture, by `crests_of`. top, left: the row and column of the weights in it.
    """
    return blur_of_crests(crests, _interior(weights > 0), top, left)


def _chosen(pixels: Image, chosen: Bools) -> Image:
    """(1, N, 3): the chosen ones of (h, w, 3) pixels."""
    return np.dstack([pixels[..., channel][chosen] for channel in range(3)])


def _interior(chosen: AnyArray) -> Bools:
    """The pixels whose neighbours are chosen, too, so that no edge of the choice counts."""
    import cv2

    near = cv2.erode(chosen.view(np.uint8), np.ones((5, 5), np.uint8), borderValue=1)
    return np.asarray(near, dtype=np.bool_)


def to_lab(pixels: Image) -> F32:
    """(h, w, 3) CIE L*a*b* of RGB pixels."""
    import cv2

    lab: F32 = cv2.cvtColor(pixels.astype(np.float32) / np.float32(255), cv2.COLOR_RGB2LAB)
    return lab
