"""Compiled loops of KITTI's evaluation: who finds what, object by object in the order of a file.

The order of the rules is the benchmark's own, because its published figures depend on it.
"""

from __future__ import annotations

import numpy as np

from snellen.vision.arrays import F64, Bools
from snellen.vision.compilation import compiled
from snellen.vision.kitti.evaluation_pairs import EvaluationPairs


@compiled
def walked(
    pairs: EvaluationPairs, least: float, threshold: float, by_score: bool, hits: F64
) -> tuple[int, int]:
    """Numbers of right and of wrong detections with at least `threshold`.

    An object takes, of the free detections that overlap it by more than `least`, the one of best
    score (by_score) or of best IoU. hits: (G,), filled with the scores of the right ones.
    """
    taken = np.zeros(len(pairs.scores), np.bool_)
    right = wrong = 0
    for f in range(len(pairs.starts)):
        for g in range(pairs.truths[f], pairs.truths[f + 1]):
            d = _finder(pairs, f, g, least, threshold, by_score, taken)
            if d < 0:
                continue
            taken[d] = True
            if not (pairs.spared[g] or pairs.small[d]):
                hits[right] = pairs.scores[d]
                right += 1
    for d in range(len(pairs.scores)):
        free = not (taken[d] or pairs.small[d] or pairs.excused[d])
        if free and pairs.scores[d] >= threshold:
            wrong += 1
    return right, wrong


@compiled
def _finder(
    pairs: EvaluationPairs,
    f: int,
    g: int,
    least: float,
    threshold: float,
    by_score: bool,
    taken: Bools,
) -> int:
    """The detection that finds object g of frame f, or -1.

    By IoU, a small one is taken only for want of another.
    """
    begin, end = pairs.detections[f], pairs.detections[f + 1]
    row = pairs.starts[f] + (g - pairs.truths[f]) * (end - begin) - begin
    best, spare = -1, -1
    for d in range(begin, end):
        if taken[d] or pairs.scores[d] < threshold or not pairs.ious[row + d] > least:
            continue
        if by_score:
            if best < 0 or pairs.scores[d] > pairs.scores[best]:
                best = d
        elif pairs.small[d]:
            spare = d if spare < 0 else spare
        elif best < 0 or pairs.ious[row + d] > pairs.ious[row + best]:
            best = d
    return best if best >= 0 else spare
