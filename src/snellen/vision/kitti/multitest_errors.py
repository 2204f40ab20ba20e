"""MultiTest's three classes of error: missing object, false detection, wrong location.

Unlike events, they compare detections with the truth instead of an earlier answer, and any overlap
counts as a match. They serve to compare with published figures.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Literal

import numpy as np

from snellen.vision.arrays import F64, Bools, Boxes3D
from snellen.vision.boxes.box_geometry import iou as box_iou
from snellen.vision.detections3d import Detections3D
from snellen.vision.kitti.evaluation_pairs import OverlapMetric, overlaps_by
from snellen.vision.kitti.ground_truth import Difficulty, KittiObjects

NEAR = 5.0
"""Metres within which an error is serious."""


class ErrorClass(StrEnum):
    """The class of an error."""

    MISSING = "missing"
    FALSE = "false"
    LOCATION = "location"


@dataclass(frozen=True)
class SolidError:
    """One error.

    truth: index of the object, None for a false detection. detection: index of the detection, None
    for a missing object. iou: of the two. distance: metres from the LiDAR, of the object if
    missing, otherwise of the detection. serious: nearer than 5 m.
    """

    kind: ErrorClass
    truth: int | None
    detection: int | None
    iou: float
    distance: float
    serious: bool


def solid_errors(
    detections: Detections3D,
    objects: KittiObjects,
    *,
    classes: Sequence[str],
    name: str = "Car",
    metric: OverlapMetric | Literal["3d", "bev", "2d"] = OverlapMetric.SOLID,
    score: float = 0.5,
    iou: float = 0.5,
    difficulty: Difficulty | Literal["easy", "moderate", "hard"] = Difficulty.MODERATE,
    moderate_only: bool = False,
) -> tuple[SolidError, ...]:
    """The errors of the class `name` in one frame: missing, then false, then of location.

    Detections of the class with a score above `score` count. classes: the subject's, by label.
    missing: an object required at `difficulty` that no detection overlaps. false: a detection that
    overlaps neither an object of the class nor of the similar class (a van, for a car), nor a
    DontCare region. location: a detection whose best overlap is with an object of the class, with
    an IoU below `iou`. moderate_only: as published, objects that are also easy are never missing.
    """
    labels = [place for place, one in enumerate(classes) if one.casefold() == name.casefold()]
    rows = np.flatnonzero(
        np.isin(detections.labels, labels) & (detections.scores > np.float32(score))
    )
    chosen = detections[rows]
    table = overlaps_by(chosen, objects, OverlapMetric(metric))
    table = np.where(objects.of_similar_type(name) | objects.regions(), table, 0.0)
    required = _required(objects, name, Difficulty(difficulty), moderate_only)
    missing = np.flatnonzero(required & (table.max(axis=0, initial=0.0) == 0))
    best = table.max(axis=1, initial=0.0)
    false = np.flatnonzero((best == 0) & ~_on_regions(chosen, objects))
    placed = np.flatnonzero((best > 0) & (best < iou))
    truth = table.argmax(axis=1) if len(objects) else np.zeros(len(chosen), np.int64)
    badly = placed[objects.of_type(name)[truth[placed]]]
    of_objects, of_found = distances(objects.boxes), distances(chosen.boxes)
    return (
        *(_error(ErrorClass.MISSING, int(k), None, 0.0, of_objects[k]) for k in missing),
        *(_error(ErrorClass.FALSE, None, int(rows[d]), 0.0, of_found[d]) for d in false),
        *(
            _error(ErrorClass.LOCATION, int(truth[d]), int(rows[d]), float(best[d]), of_found[d])
            for d in badly
        ),
    )


def distances(boxes: Boxes3D) -> F64:
    """(N,) metres from the LiDAR to the centre of the bottom face of each box.

    >>> distances([[3, 4, 0.75, 4, 1.6, 1.5, 0]]).tolist()
    [5.0]
    """
    rows = np.asarray(boxes, dtype=np.float64).reshape(-1, 7)
    feet = rows[:, :3] - np.outer(rows[:, 5] / 2, [0, 0, 1])
    return np.asarray(np.linalg.norm(feet, axis=1))


def _required(
    objects: KittiObjects, name: str, difficulty: Difficulty, moderate_only: bool
) -> Bools:
    if moderate_only:
        return objects.required(name, Difficulty.MODERATE) & ~objects.required(
            name, Difficulty.EASY
        )
    return objects.required(name, difficulty)


def _on_regions(detections: Detections3D, objects: KittiObjects) -> Bools:
    regions = objects.image_boxes[objects.regions()]
    return np.asarray((box_iou(detections.image_boxes, regions) > 0).any(axis=1))


def _error(
    kind: ErrorClass, truth: int | None, detection: int | None, iou: float, distance: float
) -> SolidError:
    return SolidError(kind, truth, detection, iou, float(distance), bool(distance < NEAR))
