"""The prediction of a camera+LiDAR detector for one frame."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from snellen.vision.arrays import AnyArray, Bools, Boxes, Boxes3D, Labels, Scores
from snellen.vision.detections import (
    BOX_DECIMALS,
    SCORE_DECIMALS,
    Detections,
    label_form,
    score_form,
)

METRE_DECIMALS = 3
"""For centres and sides in metres, and yaws in radians."""


@dataclass(frozen=True, eq=False)
class Detections3D:
    """N detected objects of one frame.

    boxes: (N, 7) float64, x y z length width height yaw in the LiDAR frame (see `boxes3d`).
    labels: (N,) int64, 0-based ids of the subject's classes. scores: (N,) float32 in [0, 1].
    image_boxes: (N, 4) float32, x1 y1 x2 y2 in pixels of the frame's image; a row of zeros if the
    object lies outside the image or the frame has no image.

    >>> car = Detections3D([[10, 0, -0.9, 4, 1.7, 1.5, 0]], [0], [0.9], [[500, 150, 700, 250]])
    >>> len(car), car.above(0.95).boxes.shape
    (1, (0, 7))
    """

    boxes: Boxes3D
    labels: Labels
    scores: Scores
    image_boxes: Boxes

    def __post_init__(self) -> None:
        values: dict[str, AnyArray] = {
            "boxes": np.array(self.boxes, dtype=np.float64).reshape(-1, 7),
            "labels": np.array(self.labels, dtype=np.int64).reshape(-1),
            "scores": np.array(self.scores, dtype=np.float32).reshape(-1),
            "image_boxes": np.array(self.image_boxes, dtype=np.float32).reshape(-1, 4),
        }
        if len({len(value) for value in values.values()}) > 1:
            counts = ", ".join(f"{len(value)} {name}" for name, value in values.items())
            raise ValueError(f"each detection has one box, label and score; found {counts}")
        for name, value in values.items():
            value.flags.writeable = False
            object.__setattr__(self, name, value)

    @classmethod
    def empty(cls) -> Detections3D:
        """No detections."""
        none: Any = np.zeros(0)
        return cls(none, none, none, none)

    def __len__(self) -> int:
        return len(self.boxes)

    def __repr__(self) -> str:
        return f"<Detections3D: {len(self)}{label_form(self.labels)}{score_form(self.scores)}>"

    def __getitem__(self, index: Any) -> Detections3D:
        """The detections that an integer, slice, index array or boolean array selects."""
        chosen = np.atleast_1d(np.arange(len(self))[index])
        return Detections3D(
            self.boxes[chosen], self.labels[chosen], self.scores[chosen], self.image_boxes[chosen]
        )

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, Detections3D)
            and np.array_equal(self.boxes, other.boxes)
            and np.array_equal(self.labels, other.labels)
            and np.array_equal(self.scores, other.scores)
            and np.array_equal(self.image_boxes, other.image_boxes)
        )

    __hash__ = None  # type: ignore[assignment]

    @property
    def in_image(self) -> Detections:
        """The same objects as 2D detections with their image boxes, row for row."""
        return Detections(self.image_boxes, self.labels, self.scores)

    @property
    def has_image_box(self) -> Bools:
        """(N,) whether each detection has an image box."""
        x1, y1, x2, y2 = self.image_boxes.T
        return np.asarray((x2 > x1) & (y2 > y1))

    def above(self, score: float) -> Detections3D:
        """The detections with at least this score."""
        return self[self.scores >= np.float32(score)]

    def ranked(self) -> Detections3D:
        """The detections by descending score; ties by label, then box, not by input order."""
        return self[np.lexsort((*self.boxes.T[::-1], self.labels, -self.scores))]

    def rounded(self) -> Detections3D:
        """The detections with scores rounded to 1e-4, pixels to 1e-2, metres, radians to 1e-3."""
        return replace(
            self,
            boxes=np.round(self.boxes, METRE_DECIMALS),
            scores=np.round(self.scores.astype(np.float64), SCORE_DECIMALS).astype(np.float32),
            image_boxes=np.round(self.image_boxes.astype(np.float64), BOX_DECIMALS).astype(
                np.float32
            ),
        )
