"""KITTI's average precision at 40 recalls, in space, seen from above and in the image.

The procedure is the benchmark's. A first pass lets each object take the best-scored detection that
overlaps it enough; from the scores of these, thresholds are chosen that step recall by 1/40. A
second pass counts, at each threshold, the right and wrong detections, with the best overlap
deciding. The precisions are made monotone and averaged without the first.
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
"""IoU that a detection must exceed, by class in small letters, in every metric; 0.5 for others."""
LOOSE = {"car": 0.5, "van": 0.5, "truck": 0.5}
"""The same in space and from above for a tolerant reading; 0.25 for others."""


@dataclass(frozen=True, eq=False)
class KittiAP:
    """Average precision of one class.

    percent: 0 to 100, nan where no object must be found. objects: how many must be found.
    precision: (40,) at recalls 1/40, 2/40, ..., 1, of which percent is the mean.
    """

    percent: float
    objects: int
    precision: F64


def least_overlap(name: str, metric: OverlapMetric | str, *, loose: bool = False) -> float:
    """The IoU that a detection of a class must exceed.

    >>> least_overlap("Car", "3d"), least_overlap("Cyclist", "3d", loose=True)
    (0.7, 0.25)
    """
    if loose and OverlapMetric(metric) is not OverlapMetric.IMAGE:
        return LOOSE.get(name.casefold(), 0.25)
    return STRICT.get(name.casefold(), 0.5)


def average_precision(
    found: Sequence[Detections3D],
    known: Sequence[KittiObjects],
    *,
    classes: Sequence[str],
    name: str = "Car",
    metric: OverlapMetric | Literal["3d", "bev", "2d"] = OverlapMetric.SOLID,
    difficulty: Difficulty | Literal["easy", "moderate", "hard"] = Difficulty.MODERATE,
    overlap: float | None = None,
    procedure: Literal["benchmark", "definition"] = "benchmark",
) -> KittiAP:
    """Average precision of the class `name` over frames, found[i] being the answer to known[i].

    classes: the subject's, by label. overlap: the IoU to be exceeded, None for KITTI's (0.7 for
    cars, 0.5 for pedestrians and cyclists; see `least_overlap`). A detection lower than the
    difficulty's least height does not count, nor does one that finds an object too hard or of a
    neighbouring class, or lies in a DontCare region.

    procedure: the benchmark's own needs at least 41 objects: with n of them a perfect answer has
    (n - 1) / 40. `definition` takes every score as a threshold and is 100 for any perfect answer.
    """
    if len(found) != len(known):
        raise ValueError(f"{len(found)} answers to {len(known)} frames")
    metric, difficulty = OverlapMetric(metric), Difficulty(difficulty)
    least = least_overlap(name, metric) if overlap is None else overlap
    pairs = evaluation_pairs(
        found, known, classes, EvaluationRules(name, metric, difficulty, least)
    )
    objects = int(np.count_nonzero(~pairs.spared))
    if not objects:
        return KittiAP(float("nan"), 0, np.full(RECALLS, np.nan))
    scores = _right_scores(pairs, least)
    if procedure == "benchmark":
        precision = _stepped(_counts(pairs, least, stepping_scores(scores, objects)))
    else:
        precision = _interpolated(_counts(pairs, least, np.unique(scores)), objects)
    return KittiAP(float(precision.mean() * 100), objects, precision)


def stepping_scores(scores: F64, objects: int) -> F64:
    """The scores, highest first, at which recall is nearest to 0, 1/40, 2/40, ...; at most 41.

    scores: of the right detections. A score is passed over if the next one is nearer to the recall
    sought; the last never is.

    >>> stepping_scores(np.arange(1.0, 81.0), 80)[:4].tolist()
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


def _right_scores(pairs: EvaluationPairs, least: float) -> F64:
    from snellen.vision.kitti.ap40_kernels import walked

    hits = np.empty(len(pairs.spared))
    right, _ = walked(pairs, least, -np.inf, True, hits)
    return hits[:right]


def _counts(pairs: EvaluationPairs, least: float, thresholds: F64) -> F64:
    """(T, 2) right and wrong detections at each threshold."""
    from snellen.vision.kitti.ap40_kernels import walked

    hits = np.empty(len(pairs.spared))
    rows = [walked(pairs, least, float(threshold), False, hits) for threshold in thresholds]
    return np.array(rows, dtype=np.float64).reshape(-1, 2)


def _precisions(counts: F64) -> F64:
    return np.asarray(counts[:, 0] / np.maximum(counts.sum(axis=1), 1))


def _stepped(counts: F64) -> F64:
    """(40,) precision at each step of recall but the first, 0 where recall does not get there."""
    precision = np.zeros(RECALLS + 1)
    precision[: len(counts)] = _precisions(counts)
    return np.maximum.accumulate(precision[::-1])[::-1][1:]


def _interpolated(counts: F64, objects: int) -> F64:
    """(40,) the best precision at each recall or any higher."""
    recalls, precisions = counts[:, 0] / objects, _precisions(counts)
    sought = np.arange(1, RECALLS + 1) / RECALLS
    reached = recalls[None] >= sought[:, None] - 1e-9
    return np.asarray(np.where(reached, precisions[None], 0.0).max(axis=1, initial=0.0))
