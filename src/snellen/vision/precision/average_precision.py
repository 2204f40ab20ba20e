"""Average precision and recall of a matched set: COCO's summary and other common averages."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from snellen.vision.annotations import Annotations
from snellen.vision.arrays import F64
from snellen.vision.compilation import loop_for
from snellen.vision.detections import Detections
from snellen.vision.precision.matched_set import MatchedSet
from snellen.vision.precision.set_matching import match_set

AVERAGES: dict[str, F64] = {
    "coco101": np.linspace(0, 1, 101),
    "voc11": np.linspace(0, 1, 11),
    "kitti40": np.linspace(0, 1, 41)[1:],
    "voc": np.zeros(0),
}
"""Recalls at which interpolated precision is averaged; empty for the area under the curve."""

COCO_LIMITS = (1, 10, 100)


@dataclass(frozen=True, eq=False)
class AveragePrecision:
    """Average precision and final recall of each class.

    precision, recall: (K, A, T, L) float64, by class, area range, IoU threshold and limit of
    detections per image; NaN for a class without objects to find.
    """

    matched: MatchedSet
    precision: F64
    recall: F64
    limits: tuple[int, ...]

    def value(
        self, *, iou: float | None = None, area: str = "all", limit: int | None = None
    ) -> float:
        """Mean average precision over classes and thresholds, NaN without objects to find."""
        return _mean(self._part(self.precision, iou, area, limit))

    def average_recall(
        self, *, iou: float | None = None, area: str = "all", limit: int | None = None
    ) -> float:
        """Mean recall over classes and thresholds, NaN without objects to find."""
        return _mean(self._part(self.recall, iou, area, limit))

    def by_class(self, *, iou: float | None = None, area: str = "all") -> F64:
        """Average precision of each class, mean over thresholds, (K,); NaN if undefined."""
        return np.asarray(self._part(self.precision, iou, area, None).mean(axis=1))

    def _part(self, values: F64, iou: float | None, area: str, limit: int | None) -> F64:
        levels = slice(None) if iou is None else [self.matched.level(iou)]
        place = self.limits.index(limit) if limit is not None else len(self.limits) - 1
        return np.asarray(values[:, self.matched.range(area), levels, place])


def average_precision(
    matched: MatchedSet, *, average: str = "coco101", limits: Sequence[int] | None = None
) -> AveragePrecision:
    """Average precision from stored matches.

    average: 'coco101', 'voc11', 'kitti40' (mean of the interpolated precision at 101, 11 or 40
    recalls) or 'voc' (area under the curve). limits: detections per image and class that count.
    """
    from snellen.vision.precision.ap_kernels import precision_and_recall

    if average not in AVERAGES:
        raise ValueError(f"unknown average '{average}'; valid names: {', '.join(AVERAGES)}")
    chosen = tuple(sorted(limits or (matched.limit,)))
    steps = len(chosen) * matched.outcome.size
    precision, recall = loop_for(precision_and_recall, steps)(
        matched.bounds,
        matched.rank,
        matched.outcome,
        matched.positives(),
        np.array(chosen, dtype=np.int64),
        AVERAGES[average],
    )
    return AveragePrecision(matched, precision, recall, chosen)


def evaluate(
    detections: Sequence[Detections],
    truths: Sequence[Annotations],
    *,
    classes: int | None = None,
    masks: bool = False,
) -> AveragePrecision:
    """COCO's evaluation of the detections in a set of images; see `coco_summary` for its numbers.

    >>> seen = Detections([[0, 0, 9, 10]], [0], [0.9])
    >>> known = Annotations([[0, 0, 10, 10]], [0])
    >>> evaluate([seen], [known]).value().__round__(3)  # correct up to IoU 0.9
    0.9
    """
    matched = match_set(detections, truths, classes=classes, masks=masks, limit=COCO_LIMITS[-1])
    return average_precision(matched, limits=COCO_LIMITS)


def coco_summary(result: AveragePrecision) -> dict[str, float]:
    """COCO's twelve numbers by name, NaN where COCO prints -1."""
    sizes = ("small", "medium", "large")
    return {
        "AP": result.value(),
        "AP50": result.value(iou=0.5),
        "AP75": result.value(iou=0.75),
        **{f"AP_{size}": result.value(area=size) for size in sizes},
        **{f"AR@{limit}": result.average_recall(limit=limit) for limit in result.limits},
        **{f"AR_{size}": result.average_recall(area=size) for size in sizes},
    }


def _mean(values: F64) -> float:
    known = values[~np.isnan(values)]
    return float(known.mean()) if known.size else float("nan")
