"""A cut-out: an object with an alpha channel that can be inserted into a scene."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from snellen.vision.arrays import Bytes


@dataclass(frozen=True, eq=False)
class Cutout:
    """An object cut out of a photograph.

    label: name of its class. pixels: H x W x 4 uint8 RGBA, not premultiplied, cropped to where
    alpha is not 0. source: digest of the scene it was cut from, or "" if none.
    """

    label: str
    pixels: Bytes
    source: str = ""

    @cached_property
    def id(self) -> str:
        """A hash of label and pixels, by which a recipe always builds the same case."""
        state = hashlib.blake2b(f"{self.label}\0{self.pixels.shape}".encode(), digest_size=8)
        state.update(np.ascontiguousarray(self.pixels).tobytes())
        return state.hexdigest()

    @property
    def size(self) -> tuple[int, int]:
        """(height, width) in pixels."""
        return self.pixels.shape[0], self.pixels.shape[1]
