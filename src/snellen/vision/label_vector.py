"""The prediction of a multi-label classifier for one image."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from snellen.vision.arrays import F32, Bools, Scores
from snellen.vision.detections import SCORE_DECIMALS, Detections, score_form


@dataclass(frozen=True, eq=False)
class LabelVector:
    """One score for each class.

    scores: (C,) float32 in [0, 1], in the order of the subject's classes.

    >>> LabelVector([0.9, 0.2]).present(0.5).tolist()
    [True, False]
    """

    scores: Scores

    def __post_init__(self) -> None:
        scores = np.asarray(self.scores, dtype=np.float32).reshape(-1)
        scores.flags.writeable = False
        object.__setattr__(self, "scores", scores)

    def __repr__(self) -> str:
        best = "" if not len(self.scores) else f", best {int(self.scores.argmax())}"
        return f"<LabelVector: {len(self.scores)} classes{best}{score_form(self.scores)}>"

    @classmethod
    def of_detections(cls, detections: Detections, classes: int) -> LabelVector:
        """A detector used as a classifier: the best score of each of `classes` classes, or 0."""
        scores = np.zeros(classes, dtype=np.float32)
        np.maximum.at(scores, detections.labels, detections.scores)
        return cls(scores)

    def present(self, score: float | F32) -> Bools:
        """Whether each label reaches the threshold (one for all or one per class), (C,)."""
        return np.asarray(self.scores >= np.asarray(score, dtype=np.float32))

    def rounded(self) -> LabelVector:
        """The vector with scores rounded to 1e-4, to drop numerical noise."""
        return LabelVector(np.round(self.scores.astype(np.float64), SCORE_DECIMALS))  # type: ignore[arg-type]

    def __len__(self) -> int:
        return len(self.scores)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, LabelVector) and np.array_equal(self.scores, other.scores)

    __hash__ = None  # type: ignore[assignment]
