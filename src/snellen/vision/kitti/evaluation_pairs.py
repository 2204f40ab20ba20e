"""The objects and detections that KITTI's evaluation of one class sets against each other."""

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
    """By which overlap a detection is right."""

    SOLID = "3d"
    BEV = "bev"
    IMAGE = "2d"


class EvaluationRules(NamedTuple):
    """What is evaluated: a class, by which overlap, how plain, and the IoU to be exceeded."""

    name: str
    metric: OverlapMetric
    difficulty: Difficulty
    least: float


class EvaluationPairs(NamedTuple):
    """The objects and detections of all frames, frame by frame.

    truths, detections: (F + 1,) where each frame begins. starts: (F,) where its IoUs begin, object
    by object. spared: (G,) objects that may be found or not. small: (D,) detections too small to
    count. excused: (D,) detections that are not wrong where they find nothing. scores: (D,).
    """

    truths: Ints
    detections: Ints
    starts: Ints
    ious: F64
    spared: Bools
    small: Bools
    excused: Bools
    scores: F64


class _FramePairs(NamedTuple):
    """One frame of `EvaluationPairs`."""

    ious: F64
    spared: Bools
    small: Bools
    excused: Bools
    scores: F64


def evaluation_pairs(
    found: Sequence[Detections3D],
    known: Sequence[KittiObjects],
    classes: Sequence[str],
    rules: EvaluationRules,
) -> EvaluationPairs:
    """What is to be paired, found[i] being the answer to known[i]. classes: by label."""
    labels = [place for place, one in enumerate(classes) if one.casefold() == rules.name.casefold()]
    parts = [
        _part(answer, things, labels, rules) for answer, things in zip(found, known, strict=True)
    ]
    ious, spared, small, excused, scores = (
        _joined([part[field] for part in parts]) for field in range(len(_FramePairs._fields))
    )
    return EvaluationPairs(
        _bounds([part.spared.size for part in parts]),
        _bounds([part.scores.size for part in parts]),
        _bounds([part.ious.size for part in parts])[:-1],
        ious,
        spared.astype(bool),
        small.astype(bool),
        excused.astype(bool),
        scores,
    )


def _part(
    answer: Detections3D, things: KittiObjects, labels: Sequence[int], rules: EvaluationRules
) -> _FramePairs:
    heights = np.abs(answer.image_boxes[:, 3] - answer.image_boxes[:, 1])
    low = heights < LIMITS[rules.difficulty].height
    # KITTI lets too low a detection of any class take an object, which then is not missed.
    kept = np.isin(answer.labels, labels) | low
    spared = things.spared(rules.name, rules.difficulty)
    rows = spared | things.asked(rules.name, rules.difficulty)
    rest = answer[kept]
    table = overlaps_by(rest, things, rules.metric)
    return _FramePairs(
        table[:, rows].T.ravel(),
        spared[rows],
        low[kept],
        _in_regions(rest, things, table, rules),
        rest.scores.astype(np.float64),
    )


def overlaps_by(answer: Detections3D, things: KittiObjects, metric: OverlapMetric) -> F64:
    """(N, M) IoU of each detection with each thing."""
    if metric is OverlapMetric.IMAGE:
        return box_iou(answer.image_boxes, things.image_boxes).astype(np.float64)
    measure = overlap3d if metric is OverlapMetric.SOLID else overlap_bev
    return measure(answer.boxes, things.boxes)


def _in_regions(
    answer: Detections3D, things: KittiObjects, table: F64, rules: EvaluationRules
) -> Bools:
    """(N,) detections of which more than the least lies in a region whose contents are unknown.

    A region without a 3D box, as all of KITTI's own, excuses in the image alone.
    """
    regions = things.regions()
    if rules.metric is OverlapMetric.IMAGE:
        shares = box_overlap(answer.image_boxes, things.image_boxes[regions]).astype(np.float64)
    else:
        sides = slice(3, 6) if rules.metric is OverlapMetric.SOLID else slice(3, 5)
        own = answer.boxes[:, sides].prod(axis=1)[:, None]
        others = things.boxes[regions, sides].prod(axis=1)
        ious = table[:, regions]
        common = ious / (1 + ious) * (own + others)
        shares = np.divide(common, own, out=np.zeros_like(ious), where=ious > 0)
    return np.asarray(shares.max(axis=1, initial=0) > rules.least)


def _joined(parts: Sequence[AnyArray]) -> AnyArray:
    return np.concatenate([np.zeros(0), *parts])


def _bounds(sizes: Sequence[int]) -> Ints:
    return np.concatenate([[0], np.cumsum(sizes, dtype=np.int64)]).astype(np.int64)
