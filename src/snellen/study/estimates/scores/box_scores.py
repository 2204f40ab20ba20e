"""Boxes that people drew, matched one-to-one with the annotated objects."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from snellen.study.record import TrueObject
from snellen.study.trial import StudyBox
from snellen.vision.annotations import Annotations
from snellen.vision.boxes.matching import match
from snellen.vision.detections import Detections


def found_objects(
    boxes: Sequence[StudyBox], objects: Sequence[TrueObject], iou: float
) -> tuple[list[bool], list[bool]]:
    """Whether each object has a box of its own, and each box an object of its own.

    Boxes have no class and no score; the one drawn first takes its best object first.
    """
    corners = np.array(boxes, dtype=np.float32).reshape(-1, 4)
    truths = np.array([one.box for one in objects], dtype=np.float32).reshape(-1, 4)
    drawn = Detections(corners, np.zeros(len(boxes), np.int64), np.ones(len(boxes), np.float32))
    known = Annotations(truths, np.zeros(len(objects), np.int64))
    found = match(drawn, known, iou=iou, class_aware=False)
    return (found.detection >= 0).tolist(), (found.truth >= 0).tolist()


def object_in(box: StudyBox, objects: Sequence[TrueObject], iou: float) -> TrueObject | None:
    """The object that a box is drawn around, None if it fits none."""
    for one in objects:
        if found_objects([box], [one], iou)[0][0]:
            return one
    return None
