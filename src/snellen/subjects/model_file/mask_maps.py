"""A network's low-resolution mask maps, and their conversion to masks of the image."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from snellen.subjects.model_file.letterbox import Letterbox
from snellen.vision.arrays import F32, Bools, Ints, Runs
from snellen.vision.masks.rle_masks import Masks


@dataclass(frozen=True, eq=False)
class MaskMaps:
    """N maps over the network's input, as N rows of coefficients for shared prototypes.

    prototypes: (K, h, w), covering the entire input at any resolution. coefficients: (N, K), or
    None if map i is prototype `chosen[i]` itself. level: the threshold of a mask's pixels.
    """

    prototypes: F32
    coefficients: F32 | None
    chosen: Ints
    level: float

    @classmethod
    def from_coefficients(cls, coefficients: F32, prototypes: F32) -> MaskMaps:
        """Maps that are linear combinations of prototypes, as logits."""
        return cls(prototypes, coefficients, np.arange(len(coefficients)), 0.0)

    @classmethod
    def from_probabilities(cls, probabilities: F32) -> MaskMaps:
        """Maps of probabilities, (N, h, w)."""
        return cls(probabilities, None, np.arange(len(probabilities)), 0.5)

    def __getitem__(self, index: Any) -> MaskMaps:
        return MaskMaps(self.prototypes, self.coefficients, self.chosen[index], self.level)

    def maps(self) -> F32:
        """The chosen maps, (N, h, w)."""
        if self.coefficients is None:
            return self.prototypes[self.chosen]
        rows = self.coefficients[self.chosen]
        mixed = rows @ self.prototypes.reshape(len(self.prototypes), -1)
        return mixed.reshape(len(rows), *self.prototypes.shape[1:])

    def to_masks(self, boxes: F32, letterbox: Letterbox) -> Masks:
        """Masks of the image, each clipped to its box ((N, 4) xyxy in image pixels, inside it)."""
        edges = np.round(boxes).astype(np.int64)
        runs = [
            _runs(_sample(one, box, letterbox) > self.level, box, letterbox.image)
            for one, box in zip(self.maps(), edges, strict=True)
        ]
        return Masks(letterbox.image, tuple(runs))


def _sample(one: F32, box: Ints, letterbox: Letterbox) -> F32:
    """The map's values at the image pixels of a box, bilinear, (height, width)."""
    x1, y1, x2, y2 = box
    low, high, share = _taps(y1, y2, letterbox, one.shape[0], 0)
    rows = one[low] * (1 - share[:, None]) + one[high] * share[:, None]
    low, high, share = _taps(x1, x2, letterbox, one.shape[1], 1)
    return np.asarray(rows[:, low] * (1 - share) + rows[:, high] * share, dtype=np.float32)


def _taps(
    start: int, stop: int, letterbox: Letterbox, cells: int, axis: int
) -> tuple[Ints, Ints, F32]:
    """For each image pixel along an axis: its two neighbouring map cells, and the weight."""
    centres = np.arange(start, stop) + 0.5
    network = centres * letterbox.scale[axis] + letterbox.offset[axis]
    place = np.clip(network * (cells / letterbox.network[axis]) - 0.5, 0, cells - 1)
    low = place.astype(np.int64)
    return low, np.minimum(low + 1, cells - 1), (place - low).astype(np.float32)


def _runs(region: Bools, box: Ints, size: tuple[int, int]) -> Runs:
    """COCO run lengths of a mask that is `region` in its box and empty elsewhere.

    Only the box's columns are processed, which is much faster for small objects.
    """
    height, width = size
    x1, y1, x2, y2 = box
    strip = np.zeros((x2 - x1, height), dtype=bool)
    strip[:, y1:y2] = region.T
    flat = strip.ravel()
    changes = np.flatnonzero(np.diff(flat, prepend=False, append=False)) + x1 * height
    total = height * width
    ends = [] if len(changes) and changes[-1] == total else [total]
    return np.asarray(np.diff(changes, prepend=0, append=ends), dtype=np.uint32)
