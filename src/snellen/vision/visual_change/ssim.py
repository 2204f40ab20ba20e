"""Structural similarity of grey images with Gaussian windows (Wang et al.)."""

from __future__ import annotations

from functools import cached_property

import numpy as np

from snellen.vision.arrays import F64, AnyArray
from snellen.vision.visual_change.grey_planes import check_sizes, check_window, gaussian_taps, grey

_CONSTANTS = ((0.01 * 255) ** 2, (0.03 * 255) ** 2)
"""SSIM's constants for luminance and structure, for images of 0 to 255."""


class SsimReference:
    """A reference image whose moments are computed once.

    window: pixels per side, odd. sigma: of the Gaussian window, in pixels.

    >>> stripes = np.tile(np.uint8([0, 0, 200, 200]), (64, 16))
    >>> reference = SsimReference(stripes)
    >>> reference.ssim(stripes), round(reference.ssim(stripes // 2), 2)
    (1.0, 0.64)
    """

    def __init__(self, image: AnyArray, window: int = 11, sigma: float = 1.5) -> None:
        check_window(image, window, f"ssim with windows of {window} pixels")
        self.plane = grey(image)
        self.taps = gaussian_taps(window, sigma)

    @cached_property
    def moments(self) -> tuple[F64, F64]:
        """Mean and variance of every complete window."""
        from snellen.vision.visual_change.window_kernels import moments

        size = [side - len(self.taps) + 1 for side in self.plane.shape]
        mean, variance = np.empty(size), np.empty(size)
        moments(self.plane, self.taps, mean, variance)
        return mean, variance

    def ssim(self, image: AnyArray) -> float:
        """The mean similarity over all complete windows of an image of the same size, -1 to 1."""
        from snellen.vision.visual_change.window_kernels import mean_ssim

        check_sizes(self.plane, image)
        plane = grey(image)
        if np.array_equal(plane, self.plane):
            return 1.0
        return mean_ssim(self.plane, *self.moments, plane, self.taps, _CONSTANTS)
