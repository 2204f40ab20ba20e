"""Which detections belong to the inserted object."""

from __future__ import annotations

import numpy as np

from snellen.methods.free_places import Box
from snellen.vision.arrays import Bools
from snellen.vision.boxes.box_geometry import iou, overlap
from snellen.vision.detections import Detections

OWN_IOU = 0.5
OWN_SHARE = 0.6


def inserted_detections(
    before: Detections,
    after: Detections,
    box: Box,
    label: int | None,
    score: float,
) -> Bools:
    """Which of the detections `after` belong to the inserted object: (N,) bool.

    Those of any label with IoU 0.5 or more with its box, and those of its own label that lie mostly
    inside it (a part detected as the whole), unless a detection in `before` matches better.
    """
    if len(after) == 0:
        return np.zeros(0, dtype=bool)
    rectangle = np.array([box], dtype=np.float32)
    with_inserted = iou(after.boxes, rectangle)[:, 0]
    objects = before.above(score).boxes
    with_old = iou(after.boxes, objects).max(axis=1) if len(objects) else np.zeros(len(after))
    within = overlap(after.boxes, rectangle)[:, 0] >= OWN_SHARE
    same = np.zeros(len(after), dtype=bool) if label is None else after.labels == label
    alike = (with_inserted >= OWN_IOU) | (within & same)
    return np.asarray(alike & (with_inserted >= with_old))
