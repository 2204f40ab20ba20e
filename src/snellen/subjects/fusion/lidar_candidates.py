"""Candidates from the LiDAR alone: visible parts of objects, with their possible classes."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from snellen.scenes.frame import Frame
from snellen.subjects.fusion.box_completion import VisiblePart, completed_box, visible_part
from snellen.subjects.fusion.class_belief import belief
from snellen.subjects.fusion.footprint_suppression import suppress_overlaps
from snellen.subjects.fusion.obstacles import Obstacles
from snellen.subjects.fusion.point_clusters import clusters
from snellen.subjects.fusion.priors import PRIORS
from snellen.vision.arrays import Boxes, Boxes3D, Labels, Scores
from snellen.vision.detections3d import Detections3D
from snellen.vision.solids.projected_boxes import image_boxes

MIN_POINTS = 4
"""Minimum number of returns of a part."""

MAX_LENGTH = 6.0
"""Metres: a longer part is a wall, a hedge, or several objects that cannot be separated."""

MIN_BELIEF = 0.02


class LidarCandidates(NamedTuple):
    """N candidates; a part occurs at most once per class.

    boxes: (N, 7) in the LiDAR frame. labels, scores: (N,). parts: (N,) index of the part.
    image_boxes: (N, 4) the projected boxes.
    """

    boxes: Boxes3D
    labels: Labels
    scores: Scores
    parts: Labels
    image_boxes: Boxes


def visible_parts(obstacles: Obstacles) -> list[VisiblePart]:
    """The visible parts of objects among the returns, without walls and specks."""
    groups = (obstacles[one] for one in clusters(obstacles.points) if len(one) >= MIN_POINTS)
    parts = (visible_part(group) for group in groups if _extent(group) <= MAX_LENGTH)
    return [part for part in parts if part.rectangle.sides.max() <= MAX_LENGTH]


def candidates_in(parts: list[VisiblePart], frame: Frame) -> LidarCandidates:
    """The candidates of each part, one per class with a belief above the minimum."""
    found = [
        (completed_box(part, prior), label, believed, index)
        for index, part in enumerate(parts)
        for label, prior in enumerate(PRIORS)
        if (believed := belief(part, prior)) >= MIN_BELIEF
    ]
    boxes = np.array([one[0] for one in found]).reshape(-1, 7)
    return LidarCandidates(
        boxes,
        np.array([one[1] for one in found], dtype=np.int64),
        np.array([one[2] for one in found], dtype=np.float32),
        np.array([one[3] for one in found], dtype=np.int64),
        image_boxes(boxes, frame.frames, frame.size),
    )


def best_per_part(candidates: LidarCandidates, scores: Scores) -> Detections3D:
    """The best candidate of each part by these scores, (N,), as detections."""
    order = np.lexsort((candidates.labels, -scores, candidates.parts))
    _, first = np.unique(candidates.parts[order], return_index=True)
    chosen = order[first]
    return suppress_overlaps(
        Detections3D(
            candidates.boxes[chosen],
            candidates.labels[chosen],
            scores[chosen],
            candidates.image_boxes[chosen],
        )
    )


def _extent(group: Obstacles) -> float:
    """A lower bound in metres of the longer side of its rectangle, which saves most fits."""
    flat = group.points[:, :2]
    return float((flat.max(axis=0) - flat.min(axis=0)).max() / np.sqrt(2))
