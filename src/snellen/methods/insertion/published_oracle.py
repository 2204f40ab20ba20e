"""The published oracle: after the exclusion, the VOC AP of every class must be 100% at IoU 0.5.

Follows the authors' code (METHODS 1.4) without the defects that change a verdict: boxes have one
order (theirs were written x0 x1 y0 y1 and read as x y w h), and scores are not truncated to one
digit. Retained: the exclusion by corner and centre, which hides phantoms on the inserted object,
and AP's blindness to phantoms that score lower than every true positive.
"""

from __future__ import annotations

import numpy as np

from snellen.vision.annotations import Annotations
from snellen.vision.detections import Detections
from snellen.vision.precision.average_precision import average_precision
from snellen.vision.precision.set_matching import match_set

CORNER = 10.0
"""Pixels within which a detection's corner counts as the inserted object's."""


def fails_as_published(
    before: Detections,
    after: Detections,
    box: tuple[float, float, float, float] | None,
    score: float,
) -> bool:
    """Whether the authors' oracle calls this case a failure; box: the inserted object's, xyxy."""
    old = before.above(score)
    new = after.above(score)
    new = new if box is None else new[~_excluded(new, box)]
    if len(old) == 0 or len(new) == 0:
        return len(old) != len(new)
    if set(new.labels.tolist()) - set(old.labels.tolist()):
        return True
    truth = Annotations(old.boxes, old.labels)
    matched = match_set([new], [truth], ious=(0.5,), limit=len(new))
    by_class = average_precision(matched, average="voc").by_class(iou=0.5)
    known = by_class[~np.isnan(by_class)]
    return bool((known < 1 - 1e-9).any())


def _excluded(
    detections: Detections, box: tuple[float, float, float, float]
) -> np.ndarray[tuple[int], np.dtype[np.bool_]]:
    x1, y1, x2, y2 = box
    boxes = detections.boxes
    near = (np.abs(boxes[:, 0] - x1) <= CORNER) & (np.abs(boxes[:, 1] - y1) <= CORNER)
    cx, cy = (boxes[:, 0] + boxes[:, 2]) / 2, (boxes[:, 1] + boxes[:, 3]) / 2
    inside = (cx >= x1) & (cx <= x2) & (cy >= y1) & (cy <= y2)
    return np.asarray(near | inside)
