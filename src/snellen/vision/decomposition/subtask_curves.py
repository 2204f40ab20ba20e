"""Counts, precision, recall and AP of a task and of its subtasks, for one label or all."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from snellen.vision.arrays import F32, F64, Bools, Ints
from snellen.vision.decomposition.subtask_outcomes import NONE, SubtaskOutcomes


def stage_counts(outcomes: SubtaskOutcomes, label: int | None, stages: int) -> tuple[Ints, Ints]:
    """Numbers of detections and of objects of a label that passed at least 0, 1, ... subtasks.

    label: None for all labels. stages: number of subtasks. Both results are (stages + 1,). The
    ratio of two neighbours is the precision or recall of a subtask given those before it.
    """
    detections, objects = _sides(outcomes, label)
    wanted = outcomes.objects if label is None else outcomes.objects[outcomes.objects == label]
    levels = np.arange(stages + 1)
    seen = (outcomes.stage[detections, None] >= levels).sum(axis=0)
    known = (outcomes.stage[objects, None] >= levels).sum(axis=0)
    known[0] = len(wanted)
    return seen, known


def _sides(outcomes: SubtaskOutcomes, label: int | None) -> tuple[Bools, ...]:
    """Which rows are detections of the label, and which match an object of it."""
    if label is None:
        return np.ones(len(outcomes), dtype=bool), outcomes.truth != NONE
    return outcomes.label == label, outcomes.truth == label


@dataclass(frozen=True, eq=False)
class StageCurves:
    """Counts of one label as the score threshold falls through T scores, highest first.

    score: (T,). detections: (T, stages + 1) that passed at least so many subtasks. objects:
    (T, stages + 1) likewise; the first column is all objects.
    """

    score: F32
    detections: Ints
    objects: Ints

    def precision(self, stage: int, given: int = 0) -> F64:
        """Precision of subtasks given+1 to stage, given those up to `given`; 0 if none is left."""
        return _share(self.detections[:, stage], self.detections[:, given])

    def recall(self, stage: int, given: int = 0) -> F64:
        """Recall of subtasks given+1 to stage, given those up to `given`; 0 if none is left."""
        return _share(self.objects[:, stage], self.objects[:, given])

    def average_precision(self, stage: int) -> float:
        """The area under the precision-recall curve of the first `stage` subtasks together."""
        return area(self.recall(stage), self.precision(stage))


def curves(outcomes: SubtaskOutcomes, label: int | None, stages: int) -> StageCurves:
    """The counts of a label at every score that changes them."""
    order = np.argsort(-outcomes.score, kind="stable")
    score = outcomes.score[order]
    detections, objects = (side[order] for side in _sides(outcomes, label))
    stage = outcomes.stage[order]
    levels = np.arange(stages + 1)
    seen = np.cumsum(detections[:, None] & (stage[:, None] >= levels), axis=0)
    known = np.cumsum(objects[:, None] & (stage[:, None] >= levels), axis=0)
    total = len(outcomes.objects) if label is None else int((outcomes.objects == label).sum())
    known[:, 0] = total
    last = np.append(np.diff(score) != 0, True) if len(score) else np.zeros(0, dtype=bool)
    return StageCurves(score[last], seen[last], known[last])


def area(recall: F64, precision: F64) -> float:
    """The area under the curve by VOC's all-point rule; recall rises as the threshold falls.

    >>> area(np.array([0.5, 0.5, 1.0]), np.array([1.0, 0.5, 0.6]))
    0.8
    """
    if not len(recall):
        return 0.0
    best = np.maximum.accumulate(precision[::-1])[::-1]
    return float(np.sum(np.diff(recall, prepend=0.0) * best))


def _share(part: Ints, whole: Ints) -> F64:
    return np.divide(part, whole, out=np.zeros(len(part)), where=whole > 0)
