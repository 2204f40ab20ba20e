"""MAITE's object-detection target: predictions or ground truth of one image."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from snellen.subjects.answers.value_checks import detached, finite_array
from snellen.vision.annotations import Annotations
from snellen.vision.arrays import AnyArray
from snellen.vision.detections import Detections


@dataclass(frozen=True, eq=False)
class BoxTarget:
    """boxes: (N, 4) x0 y0 x1 y1 in pixels. labels: (N,) ids. scores: (N,), 1 for ground truth."""

    boxes: AnyArray
    labels: AnyArray
    scores: AnyArray


def target_of(found: Detections | Annotations) -> BoxTarget:
    """Detections or annotations as a target."""
    scores = np.ones(len(found.labels), np.float32)
    if isinstance(found, Detections):
        scores = np.array(found.scores)
    return BoxTarget(np.array(found.boxes), np.array(found.labels), scores)


def detections_of_target(target: Any) -> Detections:
    """The detections in a target of any library; of scores (N, C) the label's own."""
    labels = finite_array(target.labels, "labels").reshape(-1).astype(np.int64)
    scores = np.asarray(detached(target.scores), dtype=np.float32)
    if scores.ndim == 2:
        scores = scores[np.arange(len(labels)), labels] if len(labels) else np.zeros(0, np.float32)
    boxes = finite_array(target.boxes, "boxes").reshape(-1, 4).astype(np.float32)
    return Detections(boxes, labels, scores.reshape(-1))


def annotations_of_target(target: Any) -> Annotations:
    """The ground truth in a target of any library."""
    found = detections_of_target(target)
    return Annotations(found.boxes, found.labels)
