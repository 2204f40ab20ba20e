"""NMS of footprints: solid objects do not overlap."""

from __future__ import annotations

import numpy as np

from snellen.vision.detections3d import Detections3D
from snellen.vision.solids.overlap3d import overlap_bev

MAX_IOU = 0.08
"""IoU threshold of two footprints; boxes extended to a mean size may touch their neighbours."""


def suppress_overlaps(detections: Detections3D) -> Detections3D:
    """The detections, best first, without those that overlap a better one."""
    ranked = detections.ranked()
    overlaps = overlap_bev(ranked.boxes, ranked.boxes)
    kept: list[int] = []
    for index in range(len(ranked)):
        if not (overlaps[index, kept] > MAX_IOU).any():
            kept.append(index)
    return ranked[np.array(kept, dtype=np.int64)]
