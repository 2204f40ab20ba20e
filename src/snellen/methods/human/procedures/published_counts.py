"""The counts that DecompoVision's published code tests, in bins of visual change.

Six counts say all that its tests use, for a class: the annotated `objects`; the labels given to
boxes that name the class (`labelled`); those of them in a box on some object (`located`); the
labels, right or wrong, of boxes on an object of the class (`found`); those that name it (`both`);
and those of them whose mask passes (`segmented`). A box that people gave three labels counts three
times, and an object once for each changed image that shows it.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from snellen.methods.human.subtasks import SubtaskName, TaskName
from snellen.statistics.bootstrap import weighted_sums
from snellen.vision.arrays import F64, Bools, Ints

OBJECTS, LABELLED, LOCATED, FOUND, BOTH, SEGMENTED = range(6)


@dataclass(frozen=True, eq=False)
class LabelRows:
    """N labels of boxes. image, delta_v: (N,). flags: (5, N) labelled to segmented."""

    image: Ints
    delta_v: F64
    flags: Bools


@dataclass(frozen=True, eq=False)
class PublishedAnswers:
    """The labels of changed and unchanged images, and M objects of the class.

    objects: (M,) the same number for what counts once in a bin. of_image, at: (M,) the image that
    each is in and the visual change at which it is shown.
    """

    changed: LabelRows
    unchanged: LabelRows
    objects: Ints
    of_image: Ints
    at: F64

    def within(self, low: float, high: float, weights: F64) -> F64:
        """(R, 6) the counts of images changed by more than `low` and at most `high`."""
        rows = (self.changed.delta_v > low) & (self.changed.delta_v <= high)
        return self._counts(self.changed, rows, (self.at > low) & (self.at <= high), weights)

    def clean(self, weights: F64) -> F64:
        """(R, 6) the counts of unchanged images, against the objects of all changed ones."""
        rows = np.ones(len(self.unchanged.image), dtype=bool)
        return self._counts(self.unchanged, rows, np.ones(len(self.at), dtype=bool), weights)

    def _counts(self, labels: LabelRows, rows: Bools, shown: Bools, weights: F64) -> F64:
        _, first = np.unique(self.objects[shown], return_index=True)
        images = weights.shape[1]
        columns = [np.bincount(self.of_image[shown][first], minlength=images)]
        columns += [
            np.bincount(labels.image[rows & flag], minlength=images) for flag in labels.flags
        ]
        return weighted_sums(weights, np.stack(columns, axis=1).astype(np.float64))


def tested_shares(counts: F64, part: SubtaskName, task: TaskName) -> dict[str, tuple[F64, F64]]:
    """Recall and precision of a part, each with the number that it is tested with.

    counts: (..., 6). The recall of every part is tested with all objects of the class, though that
    of classify and segment is a share of the objects reached.
    """
    n = np.moveaxis(counts, -1, 0)
    recall, precision = _share(n[FOUND], n[OBJECTS]), _share(n[LOCATED], n[LABELLED])
    named = _share(n[BOTH], n[FOUND]), _share(n[BOTH], n[LOCATED])
    drawn = _share(n[SEGMENTED], n[BOTH])
    if part == "localise":
        pair = (recall, n[OBJECTS]), (precision, n[LABELLED])
    elif part == "classify":
        pair = (named[0], n[OBJECTS]), (named[1], n[LOCATED])
    elif part == "segment":
        pair = (drawn, n[OBJECTS]), (drawn, n[BOTH])
    else:
        last = drawn if task == "segmentation" else np.ones_like(drawn)
        pair = (recall * named[0] * last, n[OBJECTS]), (precision * named[1] * last, n[LABELLED])
    (found, objects), (right, labels) = pair
    return {"recall": (np.minimum(found, 1), objects), "precision": (right, labels)}


def _share(part: F64, whole: F64) -> F64:
    return np.divide(part, whole, out=np.zeros_like(part), where=whole > 0)
