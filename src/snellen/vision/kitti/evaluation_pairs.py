"""The objects and detections that KITTI's evaluation of one class compares."""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum
from typing import NamedTuple

import numpy as np

from snellen.vision.arrays import F64, AnyArray, Bools, Ints
from snellen.vision.boxes.box_geometry import iou as box_iou
from snellen.vision.boxes.box_geometry import overlap as box_overlap
from snellen.vision.detections3d import Detections3D
from snellen.vision.kitti.ground_truth import LIMITS, Difficulty, KittiObjects
from snellen.vision.solids.overlap3d import overlap3d, overlap_bev


class OverlapMetric(StrEnum):
    """The overlap that decides whether a detection is correct."""

    SOLID = "3d"
    BEV = "bev"
    IMAGE = "2d"


class EvaluationRules(NamedTuple):
    """What is evaluated: class, overlap metric, difficulty, and the IoU to exceed."""

    name: str
    metric: OverlapMetric
    difficulty: Difficulty
    min_iou: float


class EvaluationPairs(NamedTuple):
    """The objects and detections of all frames, frame by frame.

    truths, detections: (F + 1,) where each frame begins. starts: (F,) where its IoUs begin, object
    by object. ignored: (G,) objects that need not be found. small: (D,) detections too small to
    count. dont_care: (D,) detections in DontCare regions, never false positives. scores: (D,).
    """

    truths: Ints
    detections: Ints
    starts: Ints
    ious: F64
    ignored: Bools
    small: Bools
    dont_care: Bools
    scores: F64


class _FramePairs(NamedTuple):
    """One frame of `EvaluationPairs`."""

    ious: F64
    ignored: Bools
    small: Bools
    dont_care: Bools
    scores: F64


def evaluation_pairs(
    detections: Sequence[Detections3D],
    objects: Sequence[KittiObjects],
    classes: Sequence[str],
    rules: EvaluationRules,
) -> EvaluationPairs:
    """The pairs of all frames; detections and objects: one per frame. classes: by label."""
    labels = [place for place, one in enumerate(classes) if one.casefold() == rules.name.casefold()]
    parts = [
        _frame_pairs(found, known, labels, rules)
        for found, known in zip(detections, objects, strict=True)
    ]
    ious, ignored, small, dont_care, scores = (
        _joined([part[field] for part in parts]) for field in range(len(_FramePairs._fields))
    )
    return EvaluationPairs(
        _bounds([part.ignored.size for part in parts]),
        _bounds([part.scores.size for part in parts]),
        _bounds([part.ious.size for part in parts])[:-1],
        ious,
        ignored.astype(bool),
        small.astype(bool),
        dont_care.astype(bool),
        scores,
    )


def _frame_pairs(
    detections: Detections3D, objects: KittiObjects, labels: Sequence[int], rules: EvaluationRules
) -> _FramePairs:
    heights = np.abs(detections.image_boxes[:, 3] - detections.image_boxes[:, 1])
    low = heights < LIMITS[rules.difficulty].height
    # In KITTI a too small detection of any class may take an object, which is then not missed.
    kept = np.isin(detections.labels, labels) | low
    ignored = objects.ignored(rules.name, rules.difficulty)
    rows = ignored | objects.required(rules.name, rules.difficulty)
    rest = detections[kept]
    table = overlaps_by(rest, objects, rules.metric)
    return _FramePairs(
        table[:, rows].T.ravel(),
        ignored[rows],
        low[kept],
        _in_regions(rest, objects, table, rules),
        rest.scores.astype(np.float64),
    )


def overlaps_by(detections: Detections3D, objects: KittiObjects, metric: OverlapMetric) -> F64:
    """(N, M) IoU of each detection with each object."""
    if metric is OverlapMetric.IMAGE:
        return box_iou(detections.image_boxes, objects.image_boxes).astype(np.float64)
    measure = overlap3d if metric is OverlapMetric.SOLID else overlap_bev
    return measure(detections.boxes, objects.boxes)


def _in_regions(
    detections: Detections3D, objects: KittiObjects, table: F64, rules: EvaluationRules
) -> Bools:
    """(N,) whether more than the share `min_iou` of each detection lies in a DontCare region.

    A region without a 3D box, as all of KITTI's own, counts in the image only.
    """
    regions = objects.regions()
    if rules.metric is OverlapMetric.IMAGE:
        shares = box_overlap(detections.image_boxes, objects.image_boxes[regions]).astype(
            np.float64
        )
    else:
        sides = slice(3, 6) if rules.metric is OverlapMetric.SOLID else slice(3, 5)
        own = detections.boxes[:, sides].prod(axis=1)[:, None]
        others = objects.boxes[regions, sides].prod(axis=1)
        ious = table[:, regions]
        common = ious / (1 + ious) * (own + others)
        shares = np.divide(common, own, out=np.zeros_like(ious), where=ious > 0)
    return np.asarray(shares.max(axis=1, initial=0) > rules.min_iou)


def _joined(parts: Sequence[AnyArray]) -> AnyArray:
    return np.concatenate([np.zeros(0), *parts])


def _bounds(sizes: Sequence[int]) -> Ints:
    return np.concatenate([[0], np.cumsum(sizes, dtype=np.int64)]).astype(np.int64)
