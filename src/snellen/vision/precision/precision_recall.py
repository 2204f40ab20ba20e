"""Precision and recall of one class as the score threshold falls, with the matched rows."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from snellen.vision.arrays import F32, F64, Bools, Ints
from snellen.vision.precision.matched_set import IGNORED, TRUE, MatchedSet


@dataclass(frozen=True, eq=False)
class PrecisionRecallCurve:
    """Precision and recall after each of N counted detections, by descending score.

    precision, recall: (N,) float64. score: (N,) float32. hit: (N,) bool, it is a true positive.
    row: (N,) int64, row in the detections of the matched set, which has its image, index and match.
    positives: number of objects that must be found.
    """

    precision: F64
    recall: F64
    score: F32
    hit: Bools
    row: Ints
    positives: int

    def interpolated(self) -> F64:
        """The best precision at each recall or a higher one, (N,)."""
        return np.asarray(np.maximum.accumulate(self.precision[::-1])[::-1])

    def at(self, recall: npt.ArrayLike) -> F64:
        """Interpolated precision at given recalls, 0 for recalls that are not reached."""
        place = np.searchsorted(self.recall, np.asarray(recall, dtype=np.float64), side="left")
        return np.append(self.interpolated(), 0.0)[place]

    def at_score(self, score: float) -> tuple[float, float]:
        """Precision and recall of the detections with at least this score; (1, 0) for none."""
        count = int((self.score >= np.float32(score)).sum())
        if not count:
            return 1.0, 0.0
        return float(self.precision[count - 1]), float(self.recall[count - 1])


def precision_recall_curve(
    matched: MatchedSet,
    label: int,
    *,
    iou: float = 0.5,
    area: str = "all",
    limit: int | None = None,
) -> PrecisionRecallCurve:
    """The curve of one class at one IoU threshold, without ignored detections.

    limit: detections per image that count, the best first. Recall is NaN without objects to find.
    """
    a, t = matched.range(area), matched.level(iou)
    rows = np.arange(matched.bounds[label], matched.bounds[label + 1])
    if limit is not None:
        rows = rows[matched.rank[rows] < limit]
    rows = rows[matched.outcome[rows, a, t] != IGNORED]
    hit = matched.outcome[rows, a, t] == TRUE
    hits = np.cumsum(hit)
    positives = int(matched.positives()[label, a])
    recall = hits / positives if positives else np.full(len(rows), np.nan)
    precision = hits / np.arange(1, len(rows) + 1)
    return PrecisionRecallCurve(
        precision, recall, matched.detections.score[rows], hit, rows, positives
    )
