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

from dataclasses import dataclass

import numpy as np

from snellen.vision.arrays import F32, Bools, Image
from snellen.vision.image_features.edge_crests import BLURS, EdgeCrests, crests_of

STRONG = 0.5
"""The least gradient of an edge, as a share of the steepest edges'."""
STEEPEST = 0.99
"""The quantile that stands for the steepest."""
FEWEST = 8
"""The least number of edge pixels."""
DIFFERENCE = 1 / 3
"""Variance of the difference over two pixels, in square pixels: that of a box of width 2."""
SHARPEST = 0.1
"""The least blur that is reported."""
WIDE = 1.5
"""The least width in pixels that the coarse pair is trusted with."""
STEEPER = 1.3
"""How much steeper than such an edge would be the fine pair's may be, since noise adds to it."""


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
