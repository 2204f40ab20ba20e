"""MultiTest's fitness (Eq. 6 to 9): how badly a subject does on one frame, near things first.

As in the published tool, an object is missed, and a detection false, only where it overlaps nothing
at all, and distances are those of the middle of the bottom face. Unlike it, a frame without objects
and detections has fitness 0, and each found object is read with its best detection: Eq. 8 taken by
the letter pairs each object with every detection and is 1 whenever two objects are found.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from snellen.vision.arrays import F64, Bools, Ints
from snellen.vision.boxes.box_geometry import iou as box_iou
from snellen.vision.detections import Boxes
from snellen.vision.detections3d import Detections3D
from snellen.vision.kitti.multitest_errors import distances
from snellen.vision.solids.boxes3d import Boxes3D
from snellen.vision.solids.overlap3d import overlap3d

Weights = tuple[float, float, float]

WEIGHTS = (0.5, 0.25, 0.25)
REACH = 120.0
"""Metres from which on nothing matters."""


class FitnessParts(NamedTuple):
    """What the fitness is made of, each at least 0.

    missed: objects overlapped by no detection, each by its nearness (Eq. 6). false: detections that
    overlap no object, each by its nearness and score (Eq. 7). displaced: 1 less the IoU of the
    worst-placed object that was found (Eq. 8).
    """

    missed: float
    false: float
    displaced: float

    def weighed(self, weights: Weights = WEIGHTS) -> float:
        """The weighted sum (Eq. 9)."""
        return float(np.dot(self, weights))


def fitness(
    found: Detections3D,
    boxes: Boxes3D,
    *,
    ignored: Boxes3D | None = None,
    regions: Boxes | None = None,
    labels: Ints | None = None,
    weights: Weights = WEIGHTS,
    reach: float = REACH,
) -> float:
    """The fitness by 3D overlap. boxes: (M, 7) of the objects that must be found.

    ignored: (K, 7) things that need not be found; a detection that overlaps one is not false.
    regions: (R, 4) image regions likewise (KITTI's DontCare). labels: (M,) of the objects, if a
    detection of another label is to be as good as none; the published tool knows but one class.
    reach: metres.

    >>> miss = fitness(Detections3D.empty(), [[30, 0, -0.8, 4, 1.6, 1.6, 0]])
    >>> round(miss, 3)
    0.375
    """
    overlaps = overlap3d(found.boxes, boxes)
    beside = overlap3d(found.boxes, _none(7) if ignored is None else ignored)
    spared = (beside > 0).any(axis=1) | _inside(found, regions)
    return fitness_parts(found, boxes, _alike(overlaps, found, labels), spared, reach).weighed(
        weights
    )


def image_fitness(
    found: Detections3D,
    boxes: Boxes3D,
    image_boxes: Boxes,
    *,
    regions: Boxes | None = None,
    labels: Ints | None = None,
    weights: Weights = WEIGHTS,
    reach: float = REACH,
) -> float:
    """The fitness by overlap of image boxes; distances are those of the 3D boxes.

    boxes: (M, 7) and image_boxes: (M, 4) of the objects. What the image does not show, on either
    side, is left out. The rest as in `fitness`.
    """
    shown = np.asarray(image_boxes, dtype=np.float32).reshape(-1, 4)
    visible = (shown[:, 2] > shown[:, 0]) & (shown[:, 3] > shown[:, 1])
    seen = found[found.has_image_box]
    overlaps = box_iou(seen.image_boxes, shown[visible]).astype(np.float64)
    named = None if labels is None else np.asarray(labels)[visible]
    places = np.asarray(boxes, dtype=np.float64).reshape(-1, 7)[visible]
    spared = _inside(seen, regions)
    return fitness_parts(seen, places, _alike(overlaps, seen, named), spared, reach).weighed(
        weights
    )


def fitness_parts(
    found: Detections3D, boxes: Boxes3D, overlaps: F64, spared: Bools, reach: float = REACH
) -> FitnessParts:
    """The three parts. overlaps: (N, M) of detections and objects. spared: (N,) never false."""
    of_objects = overlaps.max(axis=0, initial=0.0)
    of_found = overlaps.max(axis=1, initial=0.0)
    missed, false = of_objects == 0, (of_found == 0) & ~spared
    return FitnessParts(
        float(_nearness(boxes, reach)[missed].sum()),
        float((_nearness(found.boxes, reach) * found.scores)[false].sum()),
        float((1 - of_objects[~missed]).max(initial=0.0)),
    )


def _nearness(boxes: Boxes3D, reach: float) -> F64:
    """(N,) 1 at the LiDAR, 0 at `reach` and beyond."""
    return np.asarray(1 - np.minimum(distances(boxes), reach) / reach)


def _alike(overlaps: F64, found: Detections3D, labels: Ints | None) -> F64:
    if labels is None:
        return overlaps
    return np.asarray(np.where(found.labels[:, None] == labels, overlaps, 0.0))


def _inside(found: Detections3D, regions: Boxes | None) -> Bools:
    return np.asarray((box_iou(found.image_boxes, _none(4) if regions is None else regions) > 0)
                      .any(axis=1))  # fmt: skip


def _none(columns: int) -> F64:
    return np.zeros((0, columns))
