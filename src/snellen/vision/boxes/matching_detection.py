"""The detection that shows, in another answer about a scene, what one of the first answer shows."""

from __future__ import annotations

import numpy as np

from snellen.vision.boxes.box_geometry import iou
from snellen.vision.detections import Detections


def matching_detection(
    detections: Detections, index: int, others: Detections, *, score: float, overlap: float
) -> int | None:
    """The index among `others` of the detection at `index` of `detections`, None if there is none.

    It is the one of the same label with this score or more whose box overlaps its box most, if that
    is an IoU of at least `overlap`.

    >>> car = Detections([[0, 0, 10, 10]], [0], [0.9])
    >>> now = Detections([[50, 0, 60, 10], [1, 0, 11, 10]], [0, 0], [0.9, 0.6])
    >>> matching_detection(car, 0, now, score=0.5, overlap=0.5)
    1
    """
    same = (others.labels == detections.labels[index]) & (others.scores >= np.float32(score))
    alike = iou(others.boxes, detections.boxes[[index]])[:, 0] * same
    if not len(alike) or alike.max() < overlap:
        return None
    return int(alike.argmax())
