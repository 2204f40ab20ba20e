"""A measure of visual change: a small value with a name that tells all of its parameters."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass, fields
from typing import ClassVar, TypeAlias

from snellen.vision.arrays import Image

Number: TypeAlias = int | float
Likeness: TypeAlias = Callable[[Image], float]
"""How like its reference an image is: 1 is the same, 0 or less is not at all."""


@dataclass(frozen=True)
class VisualMeasure(ABC):
    """Base of all measures: a frozen dataclass whose fields are numbers with defaults.

    name: how it is called. score: what its likeness is called, such as `vif`.
    """

    name: ClassVar[str]
    score: ClassVar[str]

    @abstractmethod
    def against(self, reference: Image) -> Likeness:
        """The likeness of images to a reference, H x W x 3 uint8 RGB, that is prepared once."""

    def compare(self, reference: Image, image: Image) -> float:
        """delta_v of an image beside its reference, both H x W x 3 uint8 RGB: 0 to 1."""
        return delta_v(self.against(reference)(image))

    @property
    def parameters(self) -> dict[str, Number]:
        """The value of each parameter."""
        return {field.name: getattr(self, field.name) for field in fields(self)}

    @property
    def identity(self) -> str:
        """Name and parameters as text, such as `vifp(sigma_nsq=0.4)`.

        `visual_measure` turns it back into the measure; two measures are one if these are equal.
        """
        values = ", ".join(f"{name}={_written(value)}" for name, value in self.parameters.items())
        return f"{self.name}({values})" if values else self.name


def delta_v(likeness: float) -> float:
    """The visual change that a likeness stands for: 1 minus it, between 0 and 1.

    >>> delta_v(0.25), delta_v(1.2), delta_v(-0.1)
    (0.75, 0.0, 1.0)
    """
    if math.isnan(likeness):
        raise ValueError("a measure of visual change gave no number (nan)")
    return min(max(1.0 - likeness, 0.0), 1.0)


def _written(value: Number) -> str:
    return repr(value).removesuffix(".0")
