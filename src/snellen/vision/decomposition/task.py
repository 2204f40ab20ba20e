"""Tasks: how detections are paired with objects, and the subtasks that each pair must pass.

Pairs are matched once, regardless of label, one to one and greedy by score. All later subtasks use
the same pairs, so that precision and recall of a task are exactly the products of those of its
subtasks. A custom task is a list of custom checks.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from snellen.vision.annotations import Annotations
from snellen.vision.arrays import Bools, Ints
from snellen.vision.boxes.matching import match
from snellen.vision.decomposition.subtask_outcomes import NONE, SubtaskOutcomes
from snellen.vision.detections import Detections
from snellen.vision.label_vector import LabelVector
from snellen.vision.masks.mask_overlap import mask_iou

Truths: TypeAlias = Annotations | Detections


@dataclass(frozen=True, eq=False)
class MatchedPairs:
    """P detections matched with one object each: the indices, (P,), on both sides."""

    detections: Detections
    truths: Truths
    detection: Ints
    truth: Ints


Check = Callable[[MatchedPairs], Bools]
"""Whether each pair passes a subtask, (P,)."""


@dataclass(frozen=True)
class DecomposedTask:
    """A sequence of subtasks on objects. The first is to localise: to be matched at all.

    checks: the others by name, in order. iou: IoU threshold of boxes for localisation.
    """

    name: str
    checks: tuple[tuple[str, Check], ...]
    iou: float = 0.5

    @property
    def subtasks(self) -> tuple[str, ...]:
        """The names of the subtasks in order."""
        return (LOCALISE, *(name for name, _ in self.checks))

    def outcomes(self, detections: Detections, truths: Truths) -> SubtaskOutcomes:
        """The number of subtasks that each detection of one image passes.

        Ignored objects need not be found, and detections of them are left out.
        """
        found = match(detections, truths, iou=self.iou, class_aware=False)
        counted = ~found.ignored
        places = np.flatnonzero((found.truth >= 0) & counted)
        pairs = MatchedPairs(detections, truths, places, found.truth[places].astype(np.int64))
        stage = np.zeros(len(detections), dtype=np.int64)
        stage[places] = self._passed(pairs)
        truth, place = (np.full(len(detections), NONE, dtype=np.int64) for _ in range(2))
        truth[places] = truths.labels[pairs.truth]
        wanted = ~_ignored(truths)
        place[places] = (np.cumsum(wanted) - 1)[pairs.truth]
        return SubtaskOutcomes(
            detections.scores[counted],
            detections.labels[counted].astype(np.int64),
            truth[counted],
            stage[counted],
            truths.labels[wanted].astype(np.int64),
            place[counted],
        )

    def _passed(self, pairs: MatchedPairs) -> Ints:
        passing = np.ones(len(pairs.detection), dtype=bool)
        passed = passing.astype(np.int64)
        for _, check in self.checks:
            passing = passing & check(pairs)
            passed += passing
        return passed


def _ignored(truths: Truths) -> Bools:
    if isinstance(truths, Annotations):
        return np.asarray(truths.crowd | truths.ignore)
    return np.zeros(len(truths), dtype=bool)


def same_label(pairs: MatchedPairs) -> Bools:
    """Whether the labels of each pair agree."""
    seen, known = pairs.detections.labels[pairs.detection], pairs.truths.labels[pairs.truth]
    return np.asarray(seen == known)


def masks_overlap(pairs: MatchedPairs, iou: float = 0.5) -> Bools:
    """Whether the masks of each pair have at least this IoU."""
    if not len(pairs.detection):
        return np.zeros(0, dtype=bool)
    seen, known = pairs.detections.masks, pairs.truths.masks
    if seen is None or known is None:
        raise ValueError("segmentation needs masks on both sides")
    both = mask_iou(seen, known)[pairs.detection, pairs.truth]
    return np.asarray(both >= iou)


LOCALISE, CLASSIFY, SEGMENT = "localise", "classify", "segment"
DETECTION = DecomposedTask("detection", ((CLASSIFY, same_label),))
SEGMENTATION = DecomposedTask("segmentation", ((CLASSIFY, same_label), (SEGMENT, masks_overlap)))


def label_outcomes(answer: LabelVector, truth: npt.ArrayLike) -> SubtaskOutcomes:
    """The outcomes of classification, a task of one subtask: each label counts as a detection.

    truth: (C,) bool, which labels are in the image; these pass.
    """
    known = np.asarray(truth, dtype=bool)
    labels = np.arange(len(known), dtype=np.int64)
    return SubtaskOutcomes(
        answer.scores,
        labels,
        np.where(known, labels, NONE),
        known.astype(np.int64),
        labels[known],
        np.where(known, np.cumsum(known) - 1, NONE),
    )
