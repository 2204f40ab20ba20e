"""Subjects that explain a detection by a heat map."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol, runtime_checkable

from snellen.vision.arrays import F32, Image


@runtime_checkable
class Explainer(Protocol):
    """A subject that can show which pixels support a detection."""

    def heat_map(self, image: Image, box: Sequence[float], label: int) -> F32:
        """How much each pixel supports class `label` at `box`: (H, W) float32 in [0, 1].

        image: H x W x 3 uint8 RGB. box: x1 y1 x2 y2 in its pixels. The maximum is 1; a map of zeros
        means that no pixel supports the class.
        """
