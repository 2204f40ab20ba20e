"""How blurred the sharpest edges of a picture are.

A step edge blurred with a Gaussian of width s has its gradient, where that is steepest, lowered in
the ratio sqrt((s^2 + b^2) / (s^2 + a^2)) if it is blurred with b instead of a, whatever its
contrast. Beside the crest of the gradient the ratio is smaller, so only crests count. The median
over the strongest ones gives s. The gradient is a difference over two pixels, a blur of its own,
which is subtracted.

Two pairs of blurs are used. The fine one, 0 and 1 pixel, keeps close edges apart, but noise raises
the gradient of the unblurred picture and makes wide edges seem sharper. The coarse one, 1 and 2
pixels, is hardly disturbed by noise, but close edges weaken each other, which makes them seem
sharper, too, or leaves only the shading to be seen. So a wide edge is one that the coarse pair
finds wide, where the fine one sees none that is much steeper; others are left to the fine.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from snellen.vision.arrays import F32, Bools, Bytes, Image, Ints

STRONG = 0.5
"""The least gradient of an edge, as a share of the steepest edges'."""
STEEPEST = 0.99
"""The quantile that stands for the steepest."""
FAINTEST = 2.0
"""The least gradient of an edge after the blur, in grey levels a pixel."""
CREST = 0.98
"""The least gradient of a crest, as a share of its neighbours'."""
FEWEST = 8
"""The least number of edge pixels."""
DIFFERENCE = 1 / 3
"""Variance of the difference over two pixels, in square pixels: that of a box of width 2."""
SHARPEST = 0.1
"""The least blur that is reported."""
BLURS = (0.0, 1.0, 2.0)
"""The sigmas of the Gaussians of which neighbours are compared, in pixels."""
BAND, REACH = 128, 13
"""Rows that are looked at together, so that memory is reused, and how far the filters reach."""
AXES = (1, 0), (0, 1)
"""Derivatives across and down."""
WIDE = 1.5
"""The least width in pixels that the coarse pair is trusted with."""
STEEPER = 1.3
"""How much steeper than such an edge would be the fine pair's may be, since noise adds to it."""


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


def edge_blur(pixels: Image, inside: Bools) -> float | None:
    """The width of the sharpest edges in pixels, as the sigma of a Gaussian; None without edges.

    pixels: H x W x 3 RGB. inside: H x W, which pixels count. Within 30% of the truth for one edge
    and for many, 6 widths apart, in any direction, of a contrast of 40 or more: from 0.7 to 4
    pixels, with noise of up to 7% of the contrast. More noise, or edges closer together, make wide
    edges seem sharper than they are.

    >>> import cv2
    >>> grey = np.full((120, 120), 40, np.uint8)
    >>> grey[:, 60:] = 200
    >>> soft = cv2.GaussianBlur(np.dstack([grey] * 3), (0, 0), 2.0)
    >>> 1.9 < edge_blur(soft, np.ones((120, 120), bool)) < 2.2
    True
    """
    return blur_of_crests(crests_of(pixels), inside)


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


def blur_of_crests(
    crests: tuple[EdgeCrests, EdgeCrests], inside: Bools, top: int = 0, left: int = 0
) -> float | None:
    """As `edge_blur`, from the crests of a picture.

    inside: (h, w), which pixels count of those from row `top` and column `left` on.
    """
    fine, coarse = (_sharpest(one, inside, top, left) for one in crests)
    if coarse is not None and coarse.width >= WIDE and not _hides(coarse, fine):
        return coarse.width
    return None if fine is None else fine.width


@dataclass(frozen=True)
class _Edges:
    """The strongest edges by one pair of blurs. steepest: their gradient after the wider blur."""

    width: float
    steepest: float


def _hides(coarse: _Edges, fine: _Edges | None) -> bool:
    """Whether there are steeper edges than the coarse pair sees, such as a keyboard's keys."""
    if fine is None:
        return False
    _, less, more = (coarse.width**2 + blur**2 + DIFFERENCE for blur in BLURS)
    return bool(fine.steepest > STEEPER * coarse.steepest * (more / less) ** 0.5)


def _sharpest(crests: EdgeCrests, inside: Bools, top: int, left: int) -> _Edges | None:
    first, last = np.searchsorted(crests.rows, [top, top + inside.shape[0]])
    rows, columns = crests.rows[first:last] - top, crests.columns[first:last] - left
    chosen = np.flatnonzero((columns >= 0) & (columns < inside.shape[1]))
    chosen = chosen[inside[rows[chosen], columns[chosen]]]
    if len(chosen) < FEWEST:
        return None
    slope, ratio = crests.slope[first:last][chosen], crests.ratio[first:last][chosen]
    steepest = _quantile(slope, STEEPEST)
    edges = slope >= np.float32(STRONG * steepest)
    if np.count_nonzero(edges) < FEWEST:
        return None
    narrow, wide = (blur**2 for blur in crests.blurs)
    square = (wide - narrow) / max(_quantile(ratio[edges], 0.5) ** 2 - 1, 1e-3)
    return _Edges(float(np.sqrt(max(square - narrow - DIFFERENCE, SHARPEST**2))), steepest)


def _quantile(values: F32, share: float) -> float:
    """The value at a share of the order, without interpolation."""
    at = int(share * (len(values) - 1))
    return float(np.partition(values, at)[at])


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
