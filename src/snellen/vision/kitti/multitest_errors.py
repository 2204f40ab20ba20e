"""MultiTest's three classes of error: an object missed, a detection of nothing, a box misplaced.

Unlike events, they set an answer against the truth instead of an earlier answer, and any overlap at
all tells what belongs together. They are for figures beside the published ones.
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
    """What is wrong with an object or a detection."""

    MISSING = "missing"
    FALSE = "false"
    LOCATION = "location"


@dataclass(frozen=True)
class SolidError:
    """One error.

    thing: place of the object among what is known, None for a false detection. detection: index in
    the answer, None for a missing object. iou: of the two. distance: metres from the LiDAR, of the
    object if missing, else of the detection. serious: nearer than 5 m.
    """

    kind: ErrorClass
    thing: int | None
    detection: int | None
    iou: float
    distance: float
    serious: bool


def solid_errors(
    found: Detections3D,
    known: KittiObjects,
    *,
    classes: Sequence[str],
    name: str = "Car",
    metric: OverlapMetric | Literal["3d", "bev", "2d"] = OverlapMetric.SOLID,
    score: float = 0.5,
    iou: float = 0.5,
    difficulty: Difficulty | Literal["easy", "moderate", "hard"] = Difficulty.MODERATE,
    moderate_only: bool = False,
) -> tuple[SolidError, ...]:
    """The errors of one answer about the class `name`: missing, then false, then of location.

    Detections of the class with more than `score` count. classes: the subject's, by label.
    missing: an object as plain as `difficulty` asks that no detection overlaps. false: a detection
    that overlaps neither an object of the class nor one of its neighbour (a van, for a car), nor a
    DontCare region. location: a detection whose best overlap is with an object of the class, by
    less than `iou`. moderate_only: as published, only objects of KITTI's moderate level exactly are
    missed, easy ones are not.
    """
    labels = [place for place, one in enumerate(classes) if one.casefold() == name.casefold()]
    rows = np.flatnonzero(np.isin(found.labels, labels) & (found.scores > np.float32(score)))
    answer = found[rows]
    table = overlaps_by(answer, known, OverlapMetric(metric))
    table = np.where(known.alike(name) | known.regions(), table, 0.0)
    asked = _asked(known, name, Difficulty(difficulty), moderate_only)
    missing = np.flatnonzero(asked & (table.max(axis=0, initial=0.0) == 0))
    best = table.max(axis=1, initial=0.0)
    false = np.flatnonzero((best == 0) & ~_on_regions(answer, known))
    placed = np.flatnonzero((best > 0) & (best < iou))
    thing = table.argmax(axis=1) if len(known) else np.zeros(len(answer), np.int64)
    badly = placed[known.of_type(name)[thing[placed]]]
    of_things, of_found = distances(known.boxes), distances(answer.boxes)
    return (
        *(_error(ErrorClass.MISSING, int(k), None, 0.0, of_things[k]) for k in missing),
        *(_error(ErrorClass.FALSE, None, int(rows[d]), 0.0, of_found[d]) for d in false),
        *(
            _error(ErrorClass.LOCATION, int(thing[d]), int(rows[d]), float(best[d]), of_found[d])
            for d in badly
        ),
    )


def distances(boxes: Boxes3D) -> F64:
    """(N,) metres from the LiDAR to the middle of each box's bottom face.

    >>> distances([[3, 4, 0.75, 4, 1.6, 1.5, 0]]).tolist()
    [5.0]
    """
    rows = np.asarray(boxes, dtype=np.float64).reshape(-1, 7)
    feet = rows[:, :3] - np.outer(rows[:, 5] / 2, [0, 0, 1])
    return np.asarray(np.linalg.norm(feet, axis=1))


def _asked(known: KittiObjects, name: str, difficulty: Difficulty, moderate_only: bool) -> Bools:
    if moderate_only:
        return known.asked(name, Difficulty.MODERATE) & ~known.asked(name, Difficulty.EASY)
    return known.asked(name, difficulty)


def _on_regions(answer: Detections3D, known: KittiObjects) -> Bools:
    regions = known.image_boxes[known.regions()]
    return np.asarray((box_iou(answer.image_boxes, regions) > 0).any(axis=1))


def _error(
    kind: ErrorClass, thing: int | None, detection: int | None, iou: float, distance: float
) -> SolidError:
    return SolidError(kind, thing, detection, iou, float(distance), bool(distance < NEAR))
