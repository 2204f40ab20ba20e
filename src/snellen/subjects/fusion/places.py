"""One detection a place: two cars do not stand in each other."""

from __future__ import annotations

import numpy as np

from snellen.subjects.fusion.priors import PRIORS
from snellen.vision.detections3d import Detections3D

APART = 0.9
"""The share of a class's width within which two centres are of one thing."""


def one_a_place(detections: Detections3D) -> Detections3D:
    """The detections, best first, without those that a better one stands in the place of."""
    ranked = detections.ranked()
    kept: list[int] = []
    for index, (box, label) in enumerate(zip(ranked.boxes, ranked.labels, strict=True)):
        steps = ranked.boxes[kept, :2] - box[:2]
        reach = APART * PRIORS[int(label)].width
        if not (np.hypot(steps[:, 0], steps[:, 1]) < reach).any():
            kept.append(index)
    return ranked[np.array(kept, dtype=np.int64)]
