"""How blurred the sharpest edges of a picture are.

A step edge blurred with a Gaussian of width s has its gradient lowered by another blur of width 1
in the ratio sqrt(1 + 1 / s^2), whatever its contrast. The median of that ratio over the strongest
gradients gives s. The filter of the gradient has a width of its own, which dominates below 1.
"""

from __future__ import annotations

import math

import numpy as np

from snellen.vision.arrays import F32, Bools, Image

STRONGEST = 0.1
"""Share of the pixels, by gradient, that count as edges."""
FAINTEST = 3.0
"""The least gradient of an edge, in grey levels a pixel."""
FEWEST = 8
"""The least number of edge pixels."""


def edge_blur(pixels: Image, inside: Bools, sample: int | None = None) -> float | None:
    """The width of the sharpest edges in pixels, as the sigma of a Gaussian; None without edges.

    pixels: H x W x 3 RGB. inside: H x W, which pixels count. sample: about how many pixels of
    a grid are enough, by default all. A picture with few edges seems more blurred than it is: the
    strongest tenth of its pixels lie beside its edges.

    >>> import cv2
    >>> squares = np.add(*np.indices((120, 120)) // 20)
    >>> grey = np.where(squares % 2, 40, 200).astype(np.uint8)
    >>> soft = cv2.GaussianBlur(np.dstack([grey] * 3), (0, 0), 2.0)
    >>> bool(1.7 < edge_blur(soft, np.ones((120, 120), bool)) < 2.6)
    True
    """
    return blur_of_slopes(*slopes_of(pixels), inside, sample)


def slopes_of(pixels: Image) -> tuple[F32, F32]:
    """(H, W) twice: the gradient of the grey values, and that after a blur of 1 pixel."""
    import cv2

    grey = cv2.cvtColor(np.ascontiguousarray(pixels), cv2.COLOR_RGB2GRAY).astype(np.float32)
    return _gradient(grey), _gradient(cv2.GaussianBlur(grey, (0, 0), 1.0))


def blur_of_slopes(steep: F32, less: F32, inside: Bools, sample: int | None = None) -> float | None:
    """As `edge_blur`, from the slopes of the picture."""
    step = 1 if sample is None else max(1, math.isqrt(inside.size // sample))
    grid = np.s_[::step, ::step]
    slopes, softer = steep[grid][inside[grid]], less[grid][inside[grid]]
    if not len(slopes):
        return None
    limit = max(FAINTEST, float(np.quantile(slopes, 1 - STRONGEST)))
    edges = slopes >= limit
    if np.count_nonzero(edges) < FEWEST:
        return None
    ratio = float(np.median(slopes[edges] / np.maximum(softer[edges], np.float32(1e-3))))
    return float(1 / np.sqrt(max(ratio**2 - 1, 1e-3)))


def _gradient(grey: F32) -> F32:
    import cv2

    across, down = (cv2.Sobel(grey, cv2.CV_32F, *axis, scale=1 / 8) for axis in ((1, 0), (0, 1)))
    # Not cv2.magnitude: its last digits depend on where the arrays lie in memory.
    return np.asarray(np.sqrt(across * across + down * down), dtype=np.float32)
