"""Visual information fidelity in the pixel domain, at up to four scales (Sheikh and Bovik)."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from snellen.errors import UserError
from snellen.vision.arrays import F64, AnyArray
from snellen.vision.visual_change.grey_planes import bell, check_sizes, check_window, grey

SIGMA_NSQ = 2.0
"""Variance of the eye's own noise in grey levels squared: the measure's usual value."""
WINDOWS = (17, 9, 5, 3)
"""Pixels a side of the window at each scale; each scale has half the pixels of the one before."""


@dataclass(frozen=True, eq=False)
class VifScale:
    """The reference at one scale: its pixels and the moments of every whole window in it."""

    taps: F64
    plane: F64
    mean: F64
    variance: F64


class VifReference:
    """An image that others are compared with; what depends on it alone is computed once.

    sigma_nsq: variance of the eye's noise. An image of 41 pixels a side or more has four scales. A
    smaller one has those whose window fits, and one under 17 pixels has none, which is an error.

    >>> stripes = np.tile(np.uint8([0, 0, 200, 200]), (64, 16))
    >>> reference = VifReference(stripes)
    >>> reference.vif(stripes), round(reference.vif(stripes // 2), 2)
    (1.0, 0.83)
    """

    def __init__(self, image: AnyArray, sigma_nsq: float = SIGMA_NSQ) -> None:
        check_window(image, WINDOWS[0], "vifp")
        self.sigma_nsq = checked_sigma_nsq(sigma_nsq)
        self.plane = grey(image)

    @cached_property
    def scales(self) -> tuple[VifScale, ...]:
        """The reference at each scale, with its moments."""
        return tuple(_scale(plane, taps) for plane, taps in _pyramid(self.plane))

    @cached_property
    def information(self) -> float:
        """What can be seen of the reference itself, in nats."""
        from snellen.vision.visual_change.window_kernels import total_information

        return sum(total_information(scale.variance, self.sigma_nsq) for scale in self.scales)

    def vif(self, image: AnyArray) -> float:
        """The share of the reference's information that is left in an image of the same size.

        1 for the same image, 0 when nothing is left, above 1 where contrast was raised. A reference
        of one single grey has no information: 1 if the image is of one grey too, else 0.
        """
        check_sizes(self.plane, image)
        plane = grey(image)
        if np.array_equal(plane, self.plane):
            return 1.0
        if np.ptp(self.plane) == 0:
            return float(np.ptp(plane) == 0)
        return self._kept(plane) / self.information

    def _kept(self, plane: F64) -> float:
        from snellen.vision.visual_change.window_kernels import kept_information

        images = (level for level, _ in _pyramid(plane))
        return sum(
            kept_information(one.plane, one.mean, one.variance, level, one.taps, self.sigma_nsq)
            for one, level in zip(self.scales, images, strict=True)
        )


def checked_sigma_nsq(sigma_nsq: float) -> float:
    """The variance of the eye's noise, if it is one."""
    if not 1e-6 <= sigma_nsq < np.inf:
        raise UserError(f"sigma_nsq: found {sigma_nsq}, expected a variance of at least 1e-6")
    return float(sigma_nsq)


def _pyramid(plane: F64) -> list[tuple[F64, F64]]:
    """The image and the window's taps at each scale that has room for one window."""
    from snellen.vision.visual_change.window_kernels import halved

    levels: list[tuple[F64, F64]] = []
    for window in WINDOWS:
        taps = bell(window, window / 5)
        if levels:
            size = [(side - window) // 2 + 1 for side in plane.shape]
            if min(size) < window:
                break
            smaller = np.empty(size)
            halved(plane, taps, smaller)
            plane = smaller
        levels.append((plane, taps))
    return levels


def _scale(plane: F64, taps: F64) -> VifScale:
    from snellen.vision.visual_change.window_kernels import moments

    size = [side - len(taps) + 1 for side in plane.shape]
    mean, variance = np.empty(size), np.empty(size)
    moments(plane, taps, mean, variance)
    return VifScale(taps, plane, mean, variance)
