"""MultiTest's fitness (Eq. 6 to 9): how badly a subject does on one frame, weighted by nearness.

As in the published tool, an object is missed, and a detection false, only where it overlaps nothing
at all, and distances are to the centre of the bottom face. Unlike it, a frame without objects and
detections has fitness 0, and each detected object is paired with its best detection: Eq. 8 as
written pairs each object with every detection and is 1 whenever two objects are found.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from snellen.vision.arrays import F64, Bools, Boxes, Boxes3D, Ints
from snellen.vision.boxes.box_geometry import iou as box_iou
from snellen.vision.detections3d import Detections3D
from snellen.vision.kitti.multitest_errors import distances
from snellen.vision.solids.overlap3d import overlap3d

Weights = tuple[float, float, float]

WEIGHTS = (0.5, 0.25, 0.25)
REACH = 120.0
"""Metres beyond which errors have no weight."""


class FitnessParts(NamedTuple):
    """The parts of the fitness, each at least 0.

    missed: objects that no detection overlaps, weighted by nearness (Eq. 6). false: detections that
    overlap no object, weighted by nearness and score (Eq. 7). displaced: 1 minus the lowest IoU of
    a detected object (Eq. 8).
    """

    missed: float
    false: float
    displaced: float

    def weighted(self, weights: Weights = WEIGHTS) -> float:
        """The weighted sum (Eq. 9)."""
        return float(np.dot(self, weights))


def fitness(
    detections: Detections3D,
    boxes: Boxes3D,
    *,
    ignored: Boxes3D | None = None,
    regions: Boxes | None = None,
    labels: Ints | None = None,
    weights: Weights = WEIGHTS,
    reach: float = REACH,
) -> float:
    """The fitness by 3D overlap. boxes: (M, 7) of the objects that must be detected.

    ignored: (K, 7) optional objects; a detection that overlaps one is not false.
    regions: (R, 4) image regions likewise (KITTI's DontCare). labels: (M,) of the objects, if
    detections must match them in label; the published tool has only one class.
    reach: metres.

    >>> miss = fitness(Detections3D.empty(), [[30, 0, -0.8, 4, 1.6, 1.6, 0]])
    >>> round(miss, 3)
    0.375
    """
    overlaps = overlap3d(detections.boxes, boxes)
    beside = overlap3d(detections.boxes, _none(7) if ignored is None else ignored)
    spared = (beside > 0).any(axis=1) | _inside(detections, regions)
    return fitness_parts(
        detections, boxes, _alike(overlaps, detections, labels), spared, reach
    ).weighted(weights)


def fitness_parts(
    detections: Detections3D, boxes: Boxes3D, overlaps: F64, spared: Bools, reach: float = REACH
) -> FitnessParts:
    """The three parts. overlaps: (N, M) of detections and objects. spared: (N,) never false."""
    of_objects = overlaps.max(axis=0, initial=0.0)
    of_detections = overlaps.max(axis=1, initial=0.0)
    missed, false = of_objects == 0, (of_detections == 0) & ~spared
    return FitnessParts(
        float(_nearness(boxes, reach)[missed].sum()),
        float((_nearness(detections.boxes, reach) * detections.scores)[false].sum()),
        float((1 - of_objects[~missed]).max(initial=0.0)),
    )


def _nearness(boxes: Boxes3D, reach: float) -> F64:
    """(N,) 1 at the LiDAR, 0 at `reach` and beyond."""
    return np.asarray(1 - np.minimum(distances(boxes), reach) / reach)


def _alike(overlaps: F64, detections: Detections3D, labels: Ints | None) -> F64:
    if labels is None:
        return overlaps
    return np.asarray(np.where(detections.labels[:, None] == labels, overlaps, 0.0))


def _inside(detections: Detections3D, regions: Boxes | None) -> Bools:
    overlaps = box_iou(detections.image_boxes, _none(4) if regions is None else regions)
    return np.asarray((overlaps > 0).any(axis=1))


def _none(columns: int) -> F64:
    return np.zeros((0, columns))
