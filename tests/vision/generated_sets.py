"""Generated sets of detections and truths, with the cases on which AP tools disagree."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from hypothesis import strategies as st

from snellen.vision.annotations import Annotations
from snellen.vision.arrays import Boxes, Floating
from snellen.vision.detections import Detections
from snellen.vision.masks.rle_masks import Masks
from tests.vision.small_predictions import annotations_of, detections_of

SIZE = (90, 120)


@dataclass(frozen=True)
class Recipe:
    """How a set is generated; small integers, so that Hypothesis can shrink it."""

    seed: int
    images: int
    classes: int
    objects: int
    extra: int
    decimals: int
    whole: bool
    crowd: float
    ignore: float
    masks: bool = False
    bare: bool = False

    def build(self) -> tuple[list[Detections], list[Annotations]]:
        rng = np.random.default_rng(self.seed)
        pairs = [self._image(rng) for _ in range(self.images)]
        return [answer for answer, _ in pairs], [truth for _, truth in pairs]

    def _image(self, rng: np.random.Generator) -> tuple[Detections, Annotations]:
        count = int(rng.integers(0, self.objects + 1))
        boxes = self._boxes(rng, count)
        # The last class is never in the truth if `bare`: detections of it have nothing to find.
        labels = rng.integers(0, max(self.classes - self.bare, 1), count)
        truth = annotations_of(
            boxes,
            labels,
            masks=None if not self.masks else painted(boxes),
            crowd=rng.random(count) < self.crowd,
            ignore=rng.random(count) < self.ignore,
            areas=None if rng.random() < 0.5 else rng.uniform(10, 12000, count),
        )
        near = rng.integers(0, max(count, 1), int(rng.integers(0, 3 * count + 1)))
        shifted = boxes[near] + rng.normal(0, 4, (len(near), 4)).astype(np.float32)
        extra = int(rng.integers(0, self.extra + 1))
        found = self._sound(np.concatenate([shifted, boxes[near][:2], self._boxes(rng, extra)]))
        named = np.concatenate(
            [labels[near], labels[near][:2], rng.integers(0, self.classes, extra)]
        )
        scores = np.round(rng.random(len(found)), self.decimals)
        masks = painted(found) if self.masks else None
        return detections_of(found, named, scores, masks), truth

    def _boxes(self, rng: np.random.Generator, count: int) -> Boxes:
        corner = rng.uniform(0, 70, (count, 2))
        return self._sound(np.hstack([corner, corner + rng.uniform(2, 60, (count, 2))]))

    def _sound(self, boxes: Floating) -> Boxes:
        rounded = np.round(boxes) if self.whole else boxes
        ends = np.stack([rounded[:, :2], rounded[:, 2:]])
        low, high = ends.min(0), np.maximum(ends.max(0), ends.min(0) + 1)
        return np.hstack([low, high]).astype(np.float32)


def painted(boxes: Boxes) -> Masks:
    """The ellipse within each box, as a mask: not a rectangle, so box and mask IoU differ."""
    y, x = np.mgrid[: SIZE[0], : SIZE[1]] + 0.5
    masks = np.zeros((len(boxes), *SIZE), bool)
    for mask, (x1, y1, x2, y2) in zip(masks, boxes.astype(np.float64), strict=True):
        a, b = max((x2 - x1) / 2, 0.7), max((y2 - y1) / 2, 0.7)
        mask[:] = ((x - (x1 + x2) / 2) / a) ** 2 + ((y - (y1 + y2) / 2) / b) ** 2 <= 1
    return Masks.from_array(masks)


def recipes(*, masks: bool = False, most: int = 12) -> st.SearchStrategy[Recipe]:
    """Sets with crowds, ignored objects, tied scores, empty images, classes without truth."""
    return st.builds(
        Recipe,
        seed=st.integers(0, 10_000),
        images=st.integers(1, 6),
        classes=st.integers(1, 4),
        objects=st.integers(0, 8),
        extra=st.integers(0, most),
        decimals=st.sampled_from([1, 2, 6]),
        whole=st.booleans(),
        crowd=st.sampled_from([0.0, 0.3]),
        ignore=st.sampled_from([0.0, 0.3]),
        masks=st.just(masks),
        bare=st.booleans(),
    )
