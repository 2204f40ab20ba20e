"""Visual information fidelity in the pixel domain, at up to four scales (Sheikh and Bovik)."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from snellen.errors import UserError
from snellen.vision.arrays import F64, AnyArray
from snellen.vision.visual_change.grey_planes import check_sizes, check_window, gaussian_taps, grey

SIGMA_NSQ = 2.0
"""Variance of the noise of the eye in squared grey levels: the usual value."""
WINDOWS = (17, 9, 5, 3)
"""Pixels per side of the window at each scale; each scale has half the resolution."""


@dataclass(frozen=True, eq=False)
class VifScale:
    """The reference at one scale: its pixels and the moments of every complete window."""

    taps: F64
    plane: F64
    mean: F64
    variance: F64


class InformationReference(ABC):
    """A reference image that others are compared with by the information they preserve of it.

    plane: its grey values, (H, W).
    """

    plane: F64

    @property
    @abstractmethod
    def information(self) -> float:
        """The visual information of the reference, in nats."""

    @abstractmethod
    def _preserved(self, plane: F64) -> float:
        """What the grey values of another image preserve of it, in nats."""

    def vif(self, image: AnyArray) -> float:
        """The share of the information of the reference that an image of the same size preserves.

        1 for the same image, 0 if nothing is left, above 1 with increased contrast. A uniform
        reference has no information: 1 if the image is uniform too, else 0.
        """
        check_sizes(self.plane, image)
        plane = grey(image)
        if np.array_equal(plane, self.plane):
            return 1.0
        if np.ptp(self.plane) == 0 or not self.information > 0:
            return float(np.ptp(plane) == 0)
        return self._preserved(plane) / self.information


class VifReference(InformationReference):
    """A reference image; what depends on it alone is computed once.

    sigma_nsq: variance of the noise of the eye. An image of at least 41 pixels per side has four
    scales; a smaller one those whose window fits. Below 17 pixels there is none, which is an error.

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
        """The visual information of the reference, in nats."""
        from snellen.vision.visual_change.window_kernels import total_information

        return sum(total_information(scale.variance, self.sigma_nsq) for scale in self.scales)

    def _preserved(self, plane: F64) -> float:
        from snellen.vision.visual_change.window_kernels import preserved_information

        images = (level for level, _ in _pyramid(plane))
        return sum(
            preserved_information(
                one.plane, one.mean, one.variance, level, one.taps, self.sigma_nsq
            )
            for one, level in zip(self.scales, images, strict=True)
        )


def checked_sigma_nsq(sigma_nsq: float) -> float:
    """The variance of the noise of the eye, validated."""
    if not 1e-6 <= sigma_nsq < np.inf:
        raise UserError(f"sigma_nsq: found {sigma_nsq}, expected a variance of at least 1e-6")
    return float(sigma_nsq)


def _pyramid(plane: F64) -> list[tuple[F64, F64]]:
    """The image and the taps of the window at each scale that fits a window."""
    from snellen.vision.visual_change.window_kernels import downsampled

    levels: list[tuple[F64, F64]] = []
    for window in WINDOWS:
        taps = gaussian_taps(window, window / 5)
        if levels:
            size = [(side - window) // 2 + 1 for side in plane.shape]
            if min(size) < window:
                break
            smaller = np.empty(size)
            downsampled(plane, taps, smaller)
            plane = smaller
        levels.append((plane, taps))
    return levels


def _scale(plane: F64, taps: F64) -> VifScale:
    from snellen.vision.visual_change.window_kernels import moments

    size = [side - len(taps) + 1 for side in plane.shape]
    mean, variance = np.empty(size), np.empty(size)
    moments(plane, taps, mean, variance)
    return VifScale(taps, plane, mean, variance)
