"""Measures of visual change: values with a name that includes all parameters."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields
from typing import ClassVar, TypeAlias

from snellen.vision.arrays import Image

Number: TypeAlias = int | float
Likeness: TypeAlias = Callable[[Image], float]
"""The likeness of an image to its reference: 1 for the same, 0 or less for none."""


@dataclass(frozen=True)
class VisualMeasure(ABC):
    """Base class of all measures: a frozen dataclass whose fields are numbers with defaults.

    name: of the measure. score: the name of its likeness, such as `vif`. at_objects: whether it
    needs to know where the objects of a scene are.
    """

    name: ClassVar[str]
    score: ClassVar[str]
    at_objects: ClassVar[bool] = False

    @abstractmethod
    def against(self, reference: Image) -> Likeness:
        """The likeness of images to a reference, H x W x 3 uint8 RGB, which is prepared once."""

    def within(self, reference: Image, boxes: Sequence[tuple[int, int, int, int]]) -> Likeness:
        """The same for a reference with objects in these boxes, x1 y1 x2 y2 in whole pixels."""
        return self.against(reference)

    def compare(self, reference: Image, image: Image) -> float:
        """delta_v of an image and its reference, both H x W x 3 uint8 RGB: 0 to 1."""
        return delta_v(self.against(reference)(image))

    @property
    def parameters(self) -> dict[str, Number]:
        """The value of each parameter."""
        return {field.name: getattr(self, field.name) for field in fields(self)}

    @property
    def identity(self) -> str:
        """Name and parameters as text, such as `vifp(sigma_nsq=0.4)`.

        `visual_measure` parses it; measures with the same identity are equal.
        """
        values = ", ".join(f"{name}={_text(value)}" for name, value in self.parameters.items())
        return f"{self.name}({values})" if values else self.name


def delta_v(likeness: float) -> float:
    """The visual change of a likeness: 1 minus it, clipped to [0, 1].

    >>> delta_v(0.25), delta_v(1.2), delta_v(-0.1)
    (0.75, 0.0, 1.0)
    """
    if math.isnan(likeness):
        raise ValueError("a measure of visual change returned nan")
    return min(max(1.0 - likeness, 0.0), 1.0)


def _text(value: Number) -> str:
    return repr(value).removesuffix(".0")
