"""Outcomes of detections and objects: how many subtasks each match passed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from snellen.vision.arrays import F32, Ints

NONE = -1
"""The label, or index, of the object of a detection without one."""


@dataclass(frozen=True, eq=False)
class SubtaskOutcomes:
    """N detections and M objects of one image, or of several.

    score, label: (N,) of each detection. truth: (N,) label of the object that it matches, -1 for
    none. stage: (N,) number of consecutive subtasks it passed, 0 without an object. objects: (M,)
    label of each object that must be found. object: (N,) index of the object that a detection
    matches, -1 for none; None if unknown, as in runs recorded before it was kept.
    """

    score: F32
    label: Ints
    truth: Ints
    stage: Ints
    objects: Ints
    object: Ints | None = None

    def above(self, score: float) -> SubtaskOutcomes:
        """The outcomes without detections below a threshold."""
        kept = self.score >= np.float32(score)
        return SubtaskOutcomes(
            self.score[kept],
            self.label[kept],
            self.truth[kept],
            self.stage[kept],
            self.objects,
            None if self.object is None else self.object[kept],
        )

    def __len__(self) -> int:
        return len(self.score)


def pooled(outcomes: Sequence[SubtaskOutcomes]) -> SubtaskOutcomes:
    """The outcomes of several images as one."""
    empty: list[Ints] = [np.zeros(0, dtype=np.int64)]
    return SubtaskOutcomes(
        np.concatenate([np.zeros(0, np.float32), *(one.score for one in outcomes)]),
        np.concatenate(empty + [one.label for one in outcomes]),
        np.concatenate(empty + [one.truth for one in outcomes]),
        np.concatenate(empty + [one.stage for one in outcomes]),
        np.concatenate(empty + [one.objects for one in outcomes]),
        _pooled_objects(outcomes),
    )


def _pooled_objects(outcomes: Sequence[SubtaskOutcomes]) -> Ints | None:
    """Indices among the objects of all images; None if they are unknown in any."""
    found, first = [np.zeros(0, dtype=np.int64)], 0
    for one in outcomes:
        if one.object is None:
            return None
        found.append(np.where(one.object == NONE, NONE, one.object + first))
        first += len(one.objects)
    return np.concatenate(found)
