"""Compiled loop that finds the kind of error of each false positive."""

from __future__ import annotations

import numpy as np

from snellen.vision.arrays import F64, Bools, Ints, Ints8, Ints32
from snellen.vision.compilation import compiled

NONE, CLASSIFICATION, LOCALISATION, BOTH, DUPLICATE, BACKGROUND = range(6)


@compiled
def kinds_of_false_positives(
    false: Bools,
    label: Ints32,
    truth_label: Ints32,
    counts: Bools,
    used: Bools,
    first: Ints32,
    starts: Ints,
    ious: F64,
    foreground: float,
    background: float,
) -> tuple[Ints8, Ints32]:
    """The kind of error (D,) of each detection and the truth row (D,) it refers to, or -1.

    false: (D,) the detection is a false positive. Its IoUs with all truths of its image, from
    first[d] on, are ious[starts[d]:starts[d + 1]]. counts: (G,) truths that must be found. used:
    (G,) truths matched by a true positive.
    """
    kind = np.zeros(len(label), np.int8)
    about = np.full(len(label), -1, np.int32)
    for d in range(len(label)):
        if not false[d]:
            continue
        own = other = taken = -1
        own_iou = other_iou = taken_iou = 0.0
        for p in range(starts[d], starts[d + 1]):
            g = first[d] + p - starts[d]
            if not counts[g]:
                continue
            if truth_label[g] != label[d]:
                if ious[p] > other_iou:
                    other, other_iou = g, ious[p]
                continue
            if ious[p] > own_iou:
                own, own_iou = g, ious[p]
            if used[g] and ious[p] > taken_iou:
                taken, taken_iou = g, ious[p]
        if background <= own_iou < foreground:
            kind[d], about[d] = LOCALISATION, own
        elif other_iou >= foreground:
            kind[d], about[d] = CLASSIFICATION, other
        elif taken_iou >= foreground:
            kind[d], about[d] = DUPLICATE, taken
        elif max(own_iou, other_iou) <= background:
            kind[d] = BACKGROUND
        else:
            kind[d], about[d] = BOTH, other
    return kind, about
