"""VIF inside the boxes of objects: what a change leaves of the objects, not of the sky."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, TypeAlias

import numpy as np

from snellen.vision.arrays import Image
from snellen.vision.visual_change.measure import Likeness, VisualMeasure
from snellen.vision.visual_change.vif import SIGMA_NSQ, VifReference, checked_sigma_nsq

WholeBox: TypeAlias = tuple[int, int, int, int]
"""x1, y1, x2, y2 in whole pixels, half-open."""
SMALLEST = 41
"""Pixels per side that VIF's four scales need; smaller boxes are enlarged about their middle."""


@dataclass(frozen=True)
class ObjectVifp(VisualMeasure):
    """Pixel-domain VIF inside the boxes of a scene's objects, of the grey image.

    The information that all boxes preserve over the information in them, so that an object counts
    by how much there is to see of it. Without any box, it is that of the whole image.
    """

    name: ClassVar[str] = "vifp_objects"
    score: ClassVar[str] = "vif_objects"
    at_objects: ClassVar[bool] = True
    sigma_nsq: float = SIGMA_NSQ

    def __post_init__(self) -> None:
        checked_sigma_nsq(self.sigma_nsq)

    def against(self, reference: Image) -> Likeness:
        """As `vifp`, of the whole image."""
        return VifReference(reference, self.sigma_nsq).vif

    def within(self, reference: Image, boxes: Sequence[WholeBox]) -> Likeness:
        """The share of the visual information inside the boxes that images preserve."""
        if not boxes:
            return self.against(reference)
        cuts = [enlarged(box, reference.shape[:2]) for box in boxes]
        parts = [VifReference(_cut(reference, cut), self.sigma_nsq) for cut in cuts]
        weights = np.array([part.information for part in parts])
        if weights.sum() == 0:
            weights = np.ones(len(parts))

        def likeness(image: Image) -> float:
            shares = [part.vif(_cut(image, cut)) for part, cut in zip(parts, cuts, strict=True)]
            return float(np.average(shares, weights=weights))

        return likeness


def whole_boxes(boxes: Sequence[Sequence[float]], size: tuple[int, int]) -> tuple[WholeBox, ...]:
    """Boxes, xyxy in pixels, rounded outwards and cut at the border; those outside are left out.

    size: (height, width) of the image.
    """
    corners = np.asarray(boxes, dtype=np.float64).reshape(-1, 4)
    low = np.maximum(np.floor(corners[:, :2]), 0).astype(int)
    high = np.minimum(np.ceil(corners[:, 2:]), size[::-1]).astype(int)
    kept = (high > low).all(axis=1)
    return tuple((*a, *b) for a, b in zip(low[kept].tolist(), high[kept].tolist(), strict=True))


def enlarged(box: WholeBox, size: tuple[int, ...], least: int = SMALLEST) -> WholeBox:
    """The box, at least so many pixels per side as far as the image, (height, width), has room.

    >>> enlarged((0, 50, 10, 100), (100, 200))
    (0, 50, 41, 100)
    """
    x1, x2 = _span(box[0], box[2], size[1], least)
    y1, y2 = _span(box[1], box[3], size[0], least)
    return x1, y1, x2, y2


def _span(low: int, high: int, end: int, least: int) -> tuple[int, int]:
    length = min(max(high - low, least), end)
    start = min(max((low + high - length) // 2, 0), end - length)
    return start, start + length


def _cut(image: Image, box: WholeBox) -> Image:
    x1, y1, x2, y2 = box
    return np.ascontiguousarray(image[y1:y2, x1:x2])
