"""The share of pictures that people no longer recognise, over visual change.

Performance is `chance + (1 - chance - lapse) * (1 - F(x))`, where F rises from 0 to 1 with visual
change x. F has a middle, where it is 1/2, and a width, from F = 0.05 to F = 0.95, as in psignifit.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import ClassVar, Literal, TypeAlias

import numpy as np
import numpy.typing as npt
from scipy import special

from snellen.vision.arrays import F64

FamilyName: TypeAlias = Literal["gauss", "weibull"]
_TAILS = 2 * float(special.ndtri(0.95))
_LOG_TAILS = math.log(math.log(0.05) / math.log(0.95))


@dataclass(frozen=True)
class CurveFamily(ABC):
    """A form of F. middles, widths: the range of each in which a curve is looked for."""

    name: ClassVar[FamilyName]
    middles: ClassVar[tuple[float, float]]
    widths: ClassVar[tuple[float, float]]

    @abstractmethod
    def unseen(self, delta_v: npt.ArrayLike, middle: npt.ArrayLike, width: npt.ArrayLike) -> F64:
        """F at each visual change; the arguments broadcast."""

    @abstractmethod
    def place(self, share: npt.ArrayLike, middle: npt.ArrayLike, width: npt.ArrayLike) -> F64:
        """The visual change where F is `share`."""


class CumulativeGaussian(CurveFamily):
    """F is a normal distribution function; the width is in units of visual change.

    If people's own middles are normally distributed, the curve of people together is of this form
    again, with the same mean middle and a larger width.

    >>> float(CumulativeGaussian().unseen(0.6, 0.6, 0.3))
    0.5
    """

    name = "gauss"
    middles = (-0.3, 1.8)
    widths = (0.02, 3.0)

    def unseen(self, delta_v: npt.ArrayLike, middle: npt.ArrayLike, width: npt.ArrayLike) -> F64:
        """The normal distribution function."""
        spread = np.asarray(width) / _TAILS
        return np.asarray(special.ndtr((np.asarray(delta_v) - np.asarray(middle)) / spread))

    def place(self, share: npt.ArrayLike, middle: npt.ArrayLike, width: npt.ArrayLike) -> F64:
        """Its inverse."""
        return np.asarray(
            np.asarray(middle)
            + special.ndtri(np.asarray(share, dtype=np.float64)) * np.asarray(width) / _TAILS
        )


class Weibull(CurveFamily):
    """F is a Weibull distribution function; the width is in units of the logarithm of the change.

    Nothing is lost at a visual change of 0.

    >>> float(Weibull().unseen(0.6, 0.6, 1.0)), float(Weibull().unseen(0.0, 0.6, 1.0))
    (0.5, 0.0)
    """

    name = "weibull"
    middles = (0.02, 3.0)
    widths = (0.05, 8.0)

    def unseen(self, delta_v: npt.ArrayLike, middle: npt.ArrayLike, width: npt.ArrayLike) -> F64:
        """The Weibull distribution function."""
        ratio = np.maximum(np.asarray(delta_v), 1e-12) / np.asarray(middle)
        power = np.minimum(np.log(ratio) * _LOG_TAILS / np.asarray(width), 50.0)
        lost = -np.expm1(-math.log(2) * np.exp(power))
        return np.asarray(np.where(np.asarray(delta_v) > 0, lost, 0.0))

    def place(self, share: npt.ArrayLike, middle: npt.ArrayLike, width: npt.ArrayLike) -> F64:
        """Its inverse."""
        depth = np.log(-np.log1p(-np.asarray(share, dtype=np.float64)) / math.log(2))
        return np.asarray(np.asarray(middle) * np.exp(depth * np.asarray(width) / _LOG_TAILS))


FAMILIES: dict[FamilyName, CurveFamily] = {"gauss": CumulativeGaussian(), "weibull": Weibull()}
