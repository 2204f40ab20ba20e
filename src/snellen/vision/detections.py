"""The prediction of a detector or segmenter for one image."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from snellen.vision.arrays import Boxes as Boxes
from snellen.vision.arrays import Labels as Labels
from snellen.vision.arrays import Scores as Scores
from snellen.vision.masks.rle_masks import Masks

SCORE_DECIMALS = 4
BOX_DECIMALS = 2
SHOWN_LABELS = 6
"""Different labels that `repr` shows."""


@dataclass(frozen=True, eq=False)
class Detections:
    """N detected objects of one image.

    boxes: (N, 4) float32, x1 y1 x2 y2 in pixels, half-open, origin top-left.
    labels: (N,) int64, 0-based ids of the subject's classes. scores: (N,) float32 in [0, 1].
    masks: N run-length masks, or None for a detector without masks.

    Has MAITE's attributes `boxes`, `labels`, `scores`.

    >>> cat = Detections([[10, 20, 30, 60]], [15], [0.9])
    >>> len(cat), cat.above(0.95).boxes.shape
    (1, (0, 4))
    """

    boxes: Boxes
    labels: Labels
    scores: Scores
    masks: Masks | None = None

    def __post_init__(self) -> None:
        boxes = np.asarray(self.boxes, dtype=np.float32).reshape(-1, 4)
        labels = np.asarray(self.labels, dtype=np.int64).reshape(-1)
        scores = np.asarray(self.scores, dtype=np.float32).reshape(-1)
        count = len(boxes) if self.masks is None else len(self.masks)
        if not count == len(boxes) == len(labels) == len(scores):
            masks = "" if self.masks is None else f", {len(self.masks)} masks"
            raise ValueError(
                "each detection has one box, one label and one score; found "
                f"{len(boxes)} boxes, {len(labels)} labels, {len(scores)} scores{masks}"
            )
        for name, value in (("boxes", boxes), ("labels", labels), ("scores", scores)):
            value.flags.writeable = False
            object.__setattr__(self, name, value)

    @classmethod
    def empty(cls) -> Detections:
        """No detections."""
        return cls(np.zeros((0, 4)), np.zeros(0), np.zeros(0))  # type: ignore[arg-type]

    def __len__(self) -> int:
        return len(self.boxes)

    def __getitem__(self, index: Any) -> Detections:
        """The detections that an integer, slice, index array or boolean array selects."""
        chosen = index
        if self.masks is not None or not isinstance(index, np.ndarray) or index.ndim != 1:
            chosen = np.atleast_1d(np.arange(len(self))[index])
        masks = None if self.masks is None else self.masks[chosen]
        return Detections(self.boxes[chosen], self.labels[chosen], self.scores[chosen], masks)

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, Detections)
            and np.array_equal(self.boxes, other.boxes)
            and np.array_equal(self.labels, other.labels)
            and np.array_equal(self.scores, other.scores)
            and self.masks == other.masks
        )

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        masks = "" if self.masks is None else ", masks"
        rest = f"{label_form(self.labels)}{score_form(self.scores)}{masks}"
        return f"<Detections: {len(self)}{rest}>"

    def above(self, score: float) -> Detections:
        """The detections with at least this score."""
        return self[self.scores >= np.float32(score)]

    def ranked(self) -> Detections:
        """The detections by descending score; ties by label, then box, not by input order."""
        keys = (*self.boxes.T[::-1], self.labels, -self.scores)
        return self[np.lexsort(keys)]

    def rounded(self) -> Detections:
        """The detections with scores rounded to 1e-4 and boxes to 1e-2 px: less numerical noise."""
        return replace(
            self,
            boxes=np.round(self.boxes.astype(np.float64), BOX_DECIMALS).astype(np.float32),
            scores=np.round(self.scores.astype(np.float64), SCORE_DECIMALS).astype(np.float32),
        )


def label_form(labels: Labels) -> str:
    """The different labels, such as `labels 0, 15`; a few of them if there are many.

    >>> label_form(np.array([2, 0, 2])), label_form(np.arange(9)), label_form(np.zeros(0, np.int64))
    (', labels 0, 2', ', labels 0, 1, 2, 3, 4, 5, ...', '')
    """
    ids = [str(one) for one in np.unique(labels).tolist()]
    if not ids:
        return ""
    return f", labels {', '.join(ids[:SHOWN_LABELS])}{', ...' if len(ids) > SHOWN_LABELS else ''}"


def score_form(scores: Scores) -> str:
    """The range of scores, such as `scores 0.25 to 0.90`; empty without any."""
    if not len(scores):
        return ""
    low, high = f"{scores.min():.2f}", f"{scores.max():.2f}"
    return f", score {low}" if low == high else f", scores {low} to {high}"
