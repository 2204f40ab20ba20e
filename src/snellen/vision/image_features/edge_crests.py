"""The crests of a picture's edges, and how much they lose by a blur.

A crest is a pixel whose gradient is among the steepest of its neighbours' after a blur. The
gradient is a difference over two pixels.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from snellen.vision.arrays import F32, Bytes, Image, Ints

FAINTEST = 2.0
"""The least gradient of an edge after the blur, in grey levels a pixel."""
CREST = 0.98
"""The least gradient of a crest, as a share of its neighbours'."""
BLURS = (0.0, 1.0, 2.0)
"""The sigmas of the Gaussians of which neighbours are compared, in pixels."""
BAND, REACH = 128, 13
"""Rows that are looked at together, so that memory is reused, and how far the filters reach."""
AXES = (1, 0), (0, 1)
"""Derivatives across and down."""


@dataclass(frozen=True, eq=False)
class EdgeCrests:
    """The pixels whose gradient is among the steepest of their neighbours', row by row.

    rows, columns, slope, ratio: (N,). slope: the gradient after the wider blur, in grey levels a
    pixel. ratio: the gradient after the narrower blur over that. blurs: the sigmas of both.
    """

    rows: Ints
    columns: Ints
    slope: F32
    ratio: F32
    blurs: tuple[float, float]


def crests_of(pixels: Image) -> tuple[EdgeCrests, EdgeCrests]:
    """The crests of the grey values, by the fine pair of blurs and by the coarse one."""
    bands = [_band(pixels, top) for top in range(0, pixels.shape[0], BAND)]
    fine, coarse = (_joined(parts) for parts in zip(*bands, strict=True))
    return fine, coarse


def _band(pixels: Image, top: int) -> tuple[EdgeCrests, EdgeCrests]:
    """The crests in the band of rows that begins at `top`; what is near it is looked at, too."""
    import cv2

    first = max(0, top - REACH)
    near = np.ascontiguousarray(pixels[first : top + BAND + REACH])
    inner = slice(top - first, top - first + BAND)
    grey = cv2.cvtColor(near, cv2.COLOR_RGB2GRAY)
    less, more = ((after**2 - before**2) ** 0.5 for before, after in pairwise(BLURS))
    soft = cv2.GaussianBlur(grey.astype(np.float32), (0, 0), less)
    slopes, softer = _gradient(soft), _gradient(cv2.GaussianBlur(soft, (0, 0), more))
    fine, coarse = _crests_at(slopes, inner), _crests_at(softer, inner)
    return (
        _crests(fine, _gradient_at(grey, fine), slopes, BLURS[:2], first),
        _crests(coarse, slopes.ravel()[coarse], softer, BLURS[1:], first),
    )


def _joined(parts: Sequence[EdgeCrests]) -> EdgeCrests:
    """The crests of a picture from those of its bands."""
    rows, columns, slope, ratio = (
        np.concatenate([getattr(one, name) for one in parts])
        for name in ("rows", "columns", "slope", "ratio")
    )
    return EdgeCrests(rows, columns, slope, ratio, parts[0].blurs)


def _crests(at: Ints, steep: F32, soft: F32, blurs: tuple[float, ...], first: int) -> EdgeCrests:
    """The crests at flat positions `at` below row `first`.

    steep: the gradient there after the narrower blur. soft: (h, w) that after the wider one.
    """
    rows, columns = np.divmod(at, soft.shape[1])
    slope = soft.ravel()[at]
    return EdgeCrests(rows + first, columns, slope, steep / slope, (blurs[0], blurs[1]))


def _crests_at(soft: F32, inner: slice) -> Ints:
    """Where the crests are in some rows, after the wider blur, where noise moves them less."""
    import cv2

    steepest = cv2.dilate(soft, np.ones((3, 3), np.uint8))[inner]
    steepest *= np.float32(CREST)
    found = (soft[inner] >= FAINTEST) & (soft[inner] >= steepest)
    return np.asarray(np.flatnonzero(found) + inner.start * soft.shape[1])


def _gradient(grey: F32) -> F32:
    import cv2

    across, down = (cv2.Sobel(grey, cv2.CV_32F, *axis, scale=1 / 8) for axis in AXES)
    return _length(across, down)


def _gradient_at(grey: Bytes, at: Ints) -> F32:
    """The gradient at some flat positions; of bytes it is many times as fast."""
    import cv2

    slopes = (cv2.Sobel(grey, cv2.CV_16S, *axis).ravel()[at] for axis in AXES)
    across, down = (slope.astype(np.float32) / np.float32(8) for slope in slopes)
    return _length(across, down)


def _length(across: F32, down: F32) -> F32:
    """The lengths of vectors, in the place of `across`."""
    # Not cv2.magnitude: its last digits depend on where the arrays lie in memory.
    across *= across
    down *= down
    across += down
    return np.asarray(np.sqrt(across, out=across))
