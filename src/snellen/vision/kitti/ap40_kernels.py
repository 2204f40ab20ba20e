"""Compiled loops of KITTI's evaluation: matching, object by object in the order of the file.

The order of the rules is the benchmark's own, because the published figures depend on it.
"""

from __future__ import annotations

import numpy as np

from snellen.vision.arrays import F64, Bools
from snellen.vision.compilation import compiled
from snellen.vision.kitti.evaluation_pairs import EvaluationPairs


@compiled
def counts_at(
    pairs: EvaluationPairs, min_iou: float, threshold: float, by_score: bool, hits: F64
) -> tuple[int, int]:
    """Numbers of true and false positives with a score of at least `threshold`.

    An object takes the free detection with the best score (by_score) or the best IoU among those
    with an IoU above `min_iou`. hits: (G,), filled with the scores of the true positives.
    """
    taken = np.zeros(len(pairs.scores), np.bool_)
    right = wrong = 0
    for f in range(len(pairs.starts)):
        for g in range(pairs.truths[f], pairs.truths[f + 1]):
            d = _best_detection(pairs, f, g, min_iou, threshold, by_score, taken)
            if d < 0:
                continue
            taken[d] = True
            if not (pairs.ignored[g] or pairs.small[d]):
                hits[right] = pairs.scores[d]
                right += 1
    for d in range(len(pairs.scores)):
        free = not (taken[d] or pairs.small[d] or pairs.dont_care[d])
        if free and pairs.scores[d] >= threshold:
            wrong += 1
    return right, wrong


@compiled
def _best_detection(
    pairs: EvaluationPairs,
    f: int,
    g: int,
    min_iou: float,
    threshold: float,
    by_score: bool,
    taken: Bools,
) -> int:
    """The detection that object g of frame f takes, or -1.

    By IoU, a small detection is taken only if there is no other.
    """
    begin, end = pairs.detections[f], pairs.detections[f + 1]
    row = pairs.starts[f] + (g - pairs.truths[f]) * (end - begin) - begin
    best, spare = -1, -1
    for d in range(begin, end):
        if taken[d] or pairs.scores[d] < threshold or not pairs.ious[row + d] > min_iou:
            continue
        if by_score:
            if best < 0 or pairs.scores[d] > pairs.scores[best]:
                best = d
        elif pairs.small[d]:
            spare = d if spare < 0 else spare
        elif best < 0 or pairs.ious[row + d] > pairs.ious[row + best]:
            best = d
    return best if best >= 0 else spare
