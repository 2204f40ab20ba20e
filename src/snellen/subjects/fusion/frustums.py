"""Weak fusion: the returns in the frustum of each camera box, and the object that fits the box."""

from __future__ import annotations

import numpy as np

from snellen.scenes.frame import Frame
from snellen.subjects.fusion.box_completion import completed_box, visible_part
from snellen.subjects.fusion.class_belief import belief, membership
from snellen.subjects.fusion.footprint_suppression import suppress_overlaps
from snellen.subjects.fusion.obstacles import Obstacles
from snellen.subjects.fusion.point_clusters import clusters
from snellen.subjects.fusion.priors import PRIORS, Trapezoid
from snellen.vision.arrays import F64
from snellen.vision.boxes.box_geometry import iou
from snellen.vision.detections import Detections
from snellen.vision.detections3d import Detections3D
from snellen.vision.solids.projected_boxes import image_boxes

MIN_POINTS = 3
"""Minimum number of returns that a box is fitted to."""

AGREEMENT: Trapezoid = (0.1, 0.6, 1.0, 2.0)
"""IoU of the projected 3D box with the camera box: the belief that both are the same object."""


def solids_behind(detections: Detections, obstacles: Obstacles, frame: Frame) -> Detections3D:
    """A 3D box for each camera box with fitting returns in its frustum, best first.

    The score is the camera's, times the agreement of the projected 3D box with the camera box.
    """
    found = [
        (*fit, int(label), float(score), box)
        for box, label, score in zip(
            detections.boxes, detections.labels, detections.scores, strict=True
        )
        if (fit := _behind(box.astype(np.float64), int(label), obstacles, frame)) is not None
    ]
    solids = Detections3D(
        np.array([one[0] for one in found]).reshape(-1, 7),
        np.array([one[2] for one in found], dtype=np.int64),
        np.array([one[1] * one[3] for one in found], dtype=np.float32),
        np.array([one[4] for one in found], dtype=np.float32).reshape(-1, 4),
    )
    return suppress_overlaps(solids)


def _behind(box: F64, label: int, obstacles: Obstacles, frame: Frame) -> tuple[F64, float] | None:
    """The 3D box, (7,), that agrees best with a camera box, (4,), and its agreement, or None.

    With similar agreement, the object whose returns fit the class better is preferred.
    """
    u, v = obstacles.pixels.T
    inside = obstacles[(u >= box[0]) & (u <= box[2]) & (v >= box[1]) & (v <= box[3])]
    groups = [group for group in clusters(inside.points) if len(group) >= MIN_POINTS]
    if not groups:
        return None
    prior, parts = PRIORS[label], [visible_part(inside[group]) for group in groups]
    fits = np.array([completed_box(part, prior) for part in parts])
    overlaps = iou(image_boxes(fits, frame.frames, frame.size), box[None])[:, 0]
    believed = np.array([belief(part, prior) for part in parts])
    best = int(np.argmax(overlaps * (1 + believed)))
    agreement = membership(float(overlaps[best]), AGREEMENT)
    return (fits[best], agreement) if agreement > 0 else None
