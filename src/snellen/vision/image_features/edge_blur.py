"""How blurred the sharpest edges of a picture are.

A step edge blurred with a Gaussian of width s has its gradient, where that is steepest, lowered by
another blur of width 1 in the ratio sqrt(1 + 1 / s^2), whatever its contrast. Beside the crest of
the gradient the ratio is smaller, so only crests count. The median over the strongest ones gives s.
The gradient is a difference over two pixels, a blur of its own, which is subtracted.
"""

from __future__ import annotations

import numpy as np

from snellen.vision.arrays import F32, Bools, Image

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


def edge_blur(pixels: Image, inside: Bools) -> float | None:
    """The width of the sharpest edges in pixels, as the sigma of a Gaussian; None without edges.

    pixels: H x W x 3 RGB. inside: H x W, which pixels count. Between 1 and 3 pixels it is within
    15% of the truth; noise of a tenth of the contrast makes wider edges seem sharper than they are.

    >>> import cv2
    >>> grey = np.full((120, 120), 40, np.uint8)
    >>> grey[:, 60:] = 200
    >>> soft = cv2.GaussianBlur(np.dstack([grey] * 3), (0, 0), 2.0)
    >>> 1.9 < edge_blur(soft, np.ones((120, 120), bool)) < 2.2
    True
    """
    return blur_of_slopes(*slopes_of(pixels), inside)


def slopes_of(pixels: Image) -> tuple[F32, F32]:
    """(H, W) twice: the gradient of the grey values, and its crests after a blur of 1 pixel.

    A crest is a pixel whose gradient is among the steepest of its neighbours'; the second array is
    0 elsewhere. They are found after the blur, where noise moves them less.
    """
    import cv2

    grey = cv2.cvtColor(np.ascontiguousarray(pixels), cv2.COLOR_RGB2GRAY).astype(np.float32)
    soft = _gradient(cv2.GaussianBlur(grey, (0, 0), 1.0))
    steepest = cv2.dilate(soft, np.ones((3, 3), np.uint8))
    soft[soft < np.float32(CREST) * steepest] = 0
    return _gradient(grey), soft


def blur_of_slopes(steep: F32, crests: F32, inside: Bools) -> float | None:
    """As `edge_blur`, from the slopes of the picture."""
    chosen = inside & (crests >= FAINTEST)
    soft = crests[chosen]
    if len(soft) < FEWEST:
        return None
    edges = soft >= STRONG * np.quantile(soft, STEEPEST)
    if np.count_nonzero(edges) < FEWEST:
        return None
    ratio = float(np.median(steep[chosen][edges] / soft[edges]))
    return float(np.sqrt(max(1 / max(ratio**2 - 1, 1e-3) - DIFFERENCE, SHARPEST**2)))


def _gradient(grey: F32) -> F32:
    import cv2

    across, down = (cv2.Sobel(grey, cv2.CV_32F, *axis, scale=1 / 8) for axis in ((1, 0), (0, 1)))
    # Not cv2.magnitude: its last digits depend on where the arrays lie in memory.
    return np.asarray(np.sqrt(across * across + down * down), dtype=np.float32)
