"""A compiled loop over precision-recall curves with reweighted scenes."""

from __future__ import annotations

import numpy as np

from snellen.vision.arrays import F64, Bools, Ints
from snellen.vision.compilation import compiled


@compiled
def areas(
    unit: Ints,
    of_label: Bools,
    right: Bools,
    found: Bools,
    last: Bools,
    weights: F64,
    objects: F64,
) -> F64:
    """The area under the curve of each draw, (R,); NaN without objects.

    Rows, (D,), are detections, highest score first; `last` marks the last one of each score, where
    the points of the curve lie. unit: which weight a row has. of_label, right: detections of the
    label, and those that pass. found: objects that pass, by the row of their detection. weights:
    (R, units). objects: (R,), how many objects each draw has.
    """
    out = np.full(len(weights), np.nan)
    precision = np.zeros(len(unit))
    for r in range(len(weights)):
        weight = weights[r]
        top, bottom = 0.0, 0.0
        for d in range(len(unit)):
            amount = weight[unit[d]]
            top += amount * right[d]
            bottom += amount * of_label[d]
            precision[d] = top / bottom if last[d] and bottom > 0 else 0.0
        best, total = 0.0, 0.0
        for d in range(len(unit) - 1, -1, -1):
            best = max(best, precision[d])
            total += weight[unit[d]] * found[d] * best
        if objects[r] > 0:
            out[r] = total / objects[r]
    return out
