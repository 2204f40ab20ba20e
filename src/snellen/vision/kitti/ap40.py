"""KITTI's average precision at 40 recalls, in 3D, bird's-eye view and image.

The procedure is the benchmark's. In a first pass each object takes the detection with the best
score that overlaps it enough; from these scores, thresholds are chosen that step recall by 1/40. A
second pass counts true and false positives at each threshold, with the best overlap deciding. The
precisions are made monotone and averaged without the first.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from snellen.vision.arrays import F64
from snellen.vision.detections3d import Detections3D
from snellen.vision.kitti.evaluation_pairs import (
    EvaluationPairs,
    EvaluationRules,
    OverlapMetric,
    evaluation_pairs,
)
from snellen.vision.kitti.ground_truth import Difficulty, KittiObjects

RECALLS = 40

STRICT = {"car": 0.7, "van": 0.7, "truck": 0.7}
"""The IoU that a detection must exceed, by lower-case class, in every metric; 0.5 for others."""
LOOSE = {"car": 0.5, "van": 0.5, "truck": 0.5}
"""The same for loose evaluation in 3D and bird's-eye view; 0.25 for others."""


@dataclass(frozen=True, eq=False)
class KittiAP:
    """Average precision of one class.

    percent: 0 to 100, NaN without objects to find. objects: how many must be found.
    precision: (40,) at recalls 1/40, 2/40, ..., 1, of which percent is the mean.
    """

    percent: float
    objects: int
    precision: F64


def min_overlap(name: str, metric: OverlapMetric | str, *, loose: bool = False) -> float:
    """The IoU that a detection of a class must exceed.

    >>> min_overlap("Car", "3d"), min_overlap("Cyclist", "3d", loose=True)
    (0.7, 0.25)
    """
    if loose and OverlapMetric(metric) is not OverlapMetric.IMAGE:
        return LOOSE.get(name.casefold(), 0.25)
    return STRICT.get(name.casefold(), 0.5)


def average_precision(
    detections: Sequence[Detections3D],
    objects: Sequence[KittiObjects],
    *,
    classes: Sequence[str],
    name: str = "Car",
    metric: OverlapMetric | Literal["3d", "bev", "2d"] = OverlapMetric.SOLID,
    difficulty: Difficulty | Literal["easy", "moderate", "hard"] = Difficulty.MODERATE,
    overlap: float | None = None,
    procedure: Literal["benchmark", "definition"] = "benchmark",
) -> KittiAP:
    """Average precision of the class `name` over frames; detections and objects: one per frame.

    classes: the subject's, by label. overlap: the IoU to exceed, None for KITTI's (0.7 for cars,
    0.5 for pedestrians and cyclists; see `min_overlap`). Detections below the minimum height of the
    difficulty do not count, nor do those that match an object that is too hard or of a similar
    class, or that lie in a DontCare region.

    procedure: the benchmark's own needs at least 41 objects: with n of them perfect detections get
    (n - 1) / 40. `definition` uses every score as a threshold and gives 100 for any perfect ones.
    """
    if len(detections) != len(objects):
        raise ValueError(f"found {len(detections)} predictions for {len(objects)} frames")
    metric, difficulty = OverlapMetric(metric), Difficulty(difficulty)
    min_iou = min_overlap(name, metric) if overlap is None else overlap
    pairs = evaluation_pairs(
        detections, objects, classes, EvaluationRules(name, metric, difficulty, min_iou)
    )
    count = int(np.count_nonzero(~pairs.ignored))
    if not count:
        return KittiAP(float("nan"), 0, np.full(RECALLS, np.nan))
    scores = _true_positive_scores(pairs, min_iou)
    if procedure == "benchmark":
        precision = _benchmark_precision(_counts(pairs, min_iou, recall_thresholds(scores, count)))
    else:
        precision = _interpolated_precision(_counts(pairs, min_iou, np.unique(scores)), count)
    return KittiAP(float(precision.mean() * 100), count, precision)


def recall_thresholds(scores: F64, objects: int) -> F64:
    """The scores, highest first, at which recall is nearest to 0, 1/40, 2/40, ...; at most 41.

    scores: of the true positives. A score is skipped if the next one is nearer to the target
    recall; the last never is.

    >>> recall_thresholds(np.arange(1.0, 81.0), 80)[:4].tolist()
    [80.0, 79.0, 77.0, 75.0]
    """
    ranked = np.sort(scores)[::-1]
    chosen, sought = [], 0.0
    for place, score in enumerate(ranked, start=1):
        last = place == len(ranked)
        if not last and (place + 1) / objects - sought < sought - place / objects:
            continue
        chosen.append(score)
        sought += 1 / RECALLS
    return np.array(chosen)


def _true_positive_scores(pairs: EvaluationPairs, min_iou: float) -> F64:
    from snellen.vision.kitti.ap40_kernels import counts_at

    hits = np.empty(len(pairs.ignored))
    right, _ = counts_at(pairs, min_iou, -np.inf, True, hits)
    return hits[:right]


def _counts(pairs: EvaluationPairs, min_iou: float, thresholds: F64) -> F64:
    """(T, 2) true and false positives at each threshold."""
    from snellen.vision.kitti.ap40_kernels import counts_at

    hits = np.empty(len(pairs.ignored))
    rows = [counts_at(pairs, min_iou, float(threshold), False, hits) for threshold in thresholds]
    return np.array(rows, dtype=np.float64).reshape(-1, 2)


def _precisions(counts: F64) -> F64:
    return np.asarray(counts[:, 0] / np.maximum(counts.sum(axis=1), 1))


def _benchmark_precision(counts: F64) -> F64:
    """(40,) precision at each step of recall but the first, 0 beyond the highest recall."""
    precision = np.zeros(RECALLS + 1)
    precision[: len(counts)] = _precisions(counts)
    return np.maximum.accumulate(precision[::-1])[::-1][1:]


def _interpolated_precision(counts: F64, objects: int) -> F64:
    """(40,) the best precision at each recall or a higher one."""
    recalls, precisions = counts[:, 0] / objects, _precisions(counts)
    sought = np.arange(1, RECALLS + 1) / RECALLS
    reached = recalls[None] >= sought[:, None] - 1e-9
    return np.asarray(np.where(reached, precisions[None], 0.0).max(axis=1, initial=0.0))
