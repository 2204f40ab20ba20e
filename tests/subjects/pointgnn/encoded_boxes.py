"""Codes of boxes as the network is trained to give them: the inverse of `decode_boxes`."""

from __future__ import annotations

import numpy as np

from snellen.subjects.pointgnn.box_codes import CAR, EIGHTH, class_yaw
from snellen.vision.arrays import F64, Ints


def encode_boxes(boxes: F64, places: F64, labels: Ints) -> F64:
    """(N, 7) codes of boxes, the inverse of `decode_boxes`."""
    ways = (boxes[:, :3] - places) / CAR
    return np.column_stack(
        [ways, np.log(boxes[:, 3:6] / CAR), (boxes[:, 6] - class_yaw(labels)) / EIGHTH]
    )
