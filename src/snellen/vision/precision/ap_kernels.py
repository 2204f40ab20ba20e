"""Compiled loops from stored matches to average precision."""

from __future__ import annotations

import numpy as np

from snellen.vision.arrays import F64, Ints, Ints8, Ints32
from snellen.vision.boxes.match_kernels import TRUE
from snellen.vision.compilation import compiled


@compiled
def mean_precision(hits: Ints, counted: Ints, positives: int, points: F64) -> float:
    """Average precision of one class from its true positives.

    hits: (J,) true positives so far, counted: (J,) counted detections so far, at each true
    positive. points: recalls at which the interpolated precision is averaged; empty for the area
    under the whole curve.
    """
    total, best = 0.0, 0.0
    at = len(points)
    for j in range(len(hits) - 1, -1, -1):
        best = max(best, hits[j] / counted[j])
        if len(points) == 0:
            total += (hits[j] - (hits[j - 1] if j else 0)) * best
            continue
        if j == len(hits) - 1:
            while at > 0 and points[at - 1] > hits[j] / positives:
                at -= 1
        before = hits[j - 1] / positives if j else -1.0
        while at > 0 and points[at - 1] > before:
            at -= 1
            total += best
    return total / (len(points) if len(points) else positives)


@compiled
def precision_and_recall(
    bounds: Ints, rank: Ints32, outcome: Ints8, positives: Ints, limits: Ints, points: F64
) -> tuple[F64, F64]:
    """Average precision and final recall, each (K, A, T, L); NaN for a class without positives.

    Detections are sorted by class, then score; bounds: (K + 1,). rank: (D,) within class and image,
    outcome: (D, A, T), positives: (K, A), limits: (L,) detections per image and class.
    """
    classes, ranges, levels = len(bounds) - 1, outcome.shape[1], outcome.shape[2]
    shape = (classes, ranges, levels, len(limits))
    precision, recall = np.full(shape, np.nan), np.full(shape, np.nan)
    hits = np.empty(len(rank), np.int64)
    seen = np.empty(len(rank), np.int64)
    for k in range(classes):
        for a in range(ranges):
            if positives[k, a] == 0:
                continue
            for t in range(levels):
                for m in range(len(limits)):
                    limit, found, counted = limits[m], 0, 0
                    for d in range(bounds[k], bounds[k + 1]):
                        if rank[d] >= limit:
                            continue
                        code = outcome[d, a, t]
                        counted += code <= TRUE
                        if code == TRUE:
                            hits[found] = found + 1
                            seen[found] = counted
                            found += 1
                    recall[k, a, t, m] = found / positives[k, a]
                    precision[k, a, t, m] = mean_precision(
                        hits[:found], seen[:found], positives[k, a], points
                    )
    return precision, recall
