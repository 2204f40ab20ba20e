"""VIF of the grey image times the agreement of colours, which grey VIF does not see."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from snellen.errors import UserError
from snellen.vision.arrays import F32, Image
from snellen.vision.visual_change.measure import Likeness, VisualMeasure
from snellen.vision.visual_change.vif import SIGMA_NSQ, VifReference, checked_sigma_nsq

LOST = 50.0
"""The distance in CIELAB's (a*, b*) plane from which a pixel's colour counts as lost."""


@dataclass(frozen=True)
class ColourVifp(VisualMeasure):
    """VIF of the grey image, at most 1, times the share of the colours that is preserved.

    The share is the mean over pixels of 1 - d / lost, at least 0, where d is the distance of the
    colours in the (a*, b*) plane of CIELAB (sRGB, D65). If only lightness changes, it is `vifp`;
    grey levels are not rounded, however, so that a shift of all colours leaves them related.
    sigma_nsq: as in `vifp`.

    >>> ColourVifp(0.4).identity
    'vifp_colour(sigma_nsq=0.4, lost=50)'
    """

    name: ClassVar[str] = "vifp_colour"
    score: ClassVar[str] = "vif_colour"
    sigma_nsq: float = SIGMA_NSQ
    lost: float = LOST

    def __post_init__(self) -> None:
        checked_sigma_nsq(self.sigma_nsq)
        if not 0 < self.lost < np.inf:
            raise UserError(f"lost: found {self.lost}, expected a distance of colours above 0")

    def against(self, reference: Image) -> Likeness:
        """The share of the visual information and of the colours that images preserve."""
        exact = reference.astype(np.float32)  # rounded grey levels would differ after any shift
        grey, colours = VifReference(exact, self.sigma_nsq), colours_of(reference)

        def likeness(image: Image) -> float:
            seen = min(max(grey.vif(image.astype(np.float32)), 0.0), 1.0)
            return seen * preserved_colours(colours, colours_of(image), self.lost)

        return likeness


def colours_of(image: Image) -> F32:
    """(H, W, 2) a* and b* of CIELAB of an RGB image, about -128 to 127; 0 for greys."""
    import cv2

    lab: F32 = cv2.cvtColor(image.astype(np.float32) / np.float32(255), cv2.COLOR_RGB2LAB)
    return lab[..., 1:]


def preserved_colours(before: F32, after: F32, lost: float) -> float:
    """The mean of 1 - d / lost, at least 0, for the distance d of the colours of each pixel.

    >>> grey, red = np.zeros((1, 2, 2), np.float32), np.float32([[[0, 0], [20, 0]]])
    >>> preserved_colours(grey, red, 40.0)
    0.75
    """
    distance = np.hypot(*np.moveaxis(after - before, 2, 0))
    return float(np.mean(1 - np.minimum(distance / np.float32(lost), 1), dtype=np.float64))
