"""Object instances of a scene, from its annotations or a subject, before they are cut out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from snellen.scenes.scene import Scene
from snellen.vision.arrays import F32, AnyArray, Bools, Ints
from snellen.vision.boxes.box_geometry import iou
from snellen.vision.detections import Detections
from snellen.vision.masks.rle_masks import Masks

SAME_OBJECT = 0.7
"""IoU from which two detections of any labels count as one object."""


@dataclass(frozen=True, eq=False)
class SceneInstances:
    """N objects of one scene.

    boxes: (N, 4) xyxy pixels. labels: N names. masks: N, or None. scores: (N,), or None for
    annotations. wanted: (N,); unwanted objects only occlude others.
    """

    boxes: F32
    labels: Sequence[str]
    masks: Masks | None
    scores: F32 | None
    wanted: Bools

    def __len__(self) -> int:
        return len(self.boxes)


def annotated_instances(scene: Scene, classes: Sequence[str]) -> SceneInstances:
    """The annotated objects of a scene; crowds and ignored objects are not wanted."""
    known = scene.annotations
    if known is None:
        return SceneInstances(np.zeros((0, 4), np.float32), (), None, None, np.zeros(0, bool))
    labels = [classes[label] for label in known.labels]
    return SceneInstances(known.boxes, labels, known.masks, None, ~(known.crowd | known.ignore))


def detected_instances(
    detections: Detections, classes: Sequence[str], score: float
) -> SceneInstances:
    """The detected objects with at least this score, without duplicates, best first."""
    best = detections.above(score).ranked()
    distinct = best[_first_of_each(best.boxes)]
    labels = [classes[label] for label in distinct.labels]
    every = np.ones(len(distinct), dtype=bool)
    return SceneInstances(distinct.boxes, labels, distinct.masks, distinct.scores, every)


def _first_of_each(boxes: AnyArray) -> Ints:
    """Indices of the boxes that do not overlap an earlier box of the result."""
    overlaps = iou(boxes, boxes)
    kept: list[int] = []
    for place in range(len(boxes)):
        if not kept or overlaps[place, kept].max() < SAME_OBJECT:
            kept.append(place)
    return np.array(kept, dtype=np.int64)
