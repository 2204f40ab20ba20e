"""The built-in measures of visual change."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from snellen.errors import UserError
from snellen.vision.arrays import Image
from snellen.vision.visual_change.grey_planes import check_sizes
from snellen.vision.visual_change.measure import Likeness, VisualMeasure
from snellen.vision.visual_change.ssim import SsimReference
from snellen.vision.visual_change.vif import SIGMA_NSQ, VifReference, checked_sigma_nsq
from snellen.vision.visual_change.wavelet_vif import SIGMA_NSQ as WAVELET_SIGMA_NSQ
from snellen.vision.visual_change.wavelet_vif import WaveletVifReference


@dataclass(frozen=True)
class Vifp(VisualMeasure):
    """Pixel-domain visual information fidelity (VIF) of the grey image: the default.

    sigma_nsq: variance of the noise of the eye; usually 2, DecompoVision's thresholds are for 0.4.

    >>> Vifp(0.4).identity
    'vifp(sigma_nsq=0.4)'
    """

    name: ClassVar[str] = "vifp"
    score: ClassVar[str] = "vif"
    sigma_nsq: float = SIGMA_NSQ

    def __post_init__(self) -> None:
        checked_sigma_nsq(self.sigma_nsq)

    def against(self, reference: Image) -> Likeness:
        """The share of the visual information of a reference that images preserve."""
        return VifReference(reference, self.sigma_nsq).vif


@dataclass(frozen=True)
class Vifvec(VisualMeasure):
    """Wavelet VIF of the grey image: the vector Gaussian scale mixture on a steerable pyramid.

    sigma_nsq: variance of the noise of the eye; ICRAF's thresholds are for 0.4.

    >>> Vifvec().identity
    'vifvec(sigma_nsq=0.4)'
    """

    name: ClassVar[str] = "vifvec"
    score: ClassVar[str] = "vif"
    sigma_nsq: float = WAVELET_SIGMA_NSQ

    def __post_init__(self) -> None:
        checked_sigma_nsq(self.sigma_nsq)

    def against(self, reference: Image) -> Likeness:
        """The share of the visual information of a reference that images preserve."""
        return WaveletVifReference(reference, self.sigma_nsq).vif


@dataclass(frozen=True)
class Ssim(VisualMeasure):
    """Structural similarity of the grey image.

    window: pixels per side, odd. sigma: of the Gaussian window, in pixels.
    """

    name: ClassVar[str] = "ssim"
    score: ClassVar[str] = "ssim"
    window: int = 11
    sigma: float = 1.5

    def __post_init__(self) -> None:
        if self.window < 3 or self.window % 2 == 0:
            raise UserError(f"window: found {self.window}, expected an odd number of at least 3")
        if not 0 < self.sigma < np.inf:
            raise UserError(f"sigma: found {self.sigma}, expected pixels above 0")

    def against(self, reference: Image) -> Likeness:
        """The mean structural similarity of images to a reference."""
        return SsimReference(reference, self.window, self.sigma).ssim


@dataclass(frozen=True)
class Rmse(VisualMeasure):
    """1 minus the root mean squared difference of all three channels, divided by 255.

    It detects a change of colour with unchanged grey levels, as `vifp_colour` does.
    """

    name: ClassVar[str] = "rmse"
    score: ClassVar[str] = "agreement"

    def against(self, reference: Image) -> Likeness:
        """The agreement of the colours of images with those of a reference."""

        def agreement(image: Image) -> float:
            check_sizes(reference, image)
            difference = image.astype(np.float64) - reference
            return 1.0 - float(np.sqrt(np.mean(difference**2))) / 255

        return agreement
