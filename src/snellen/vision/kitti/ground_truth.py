"""The objects of a KITTI frame, and which of them an evaluation of one class requires."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple

import numpy as np

from snellen.vision.arrays import F64, AnyArray, Bools, Boxes, Boxes3D, Ints

REGION = "dontcare"
"""KITTI's type, in lower case, of a region of unknown content."""

SIMILAR = {"car": "van", "pedestrian": "person_sitting"}
"""Similar classes: a detection of the first on the second is neither correct nor wrong."""


class Difficulty(StrEnum):
    """KITTI's levels of difficulty: which objects must be found."""

    EASY = "easy"
    MODERATE = "moderate"
    HARD = "hard"


class DifficultyLimits(NamedTuple):
    """height: pixels that the image box must exceed. occluded, truncated: the highest allowed."""

    height: float
    occluded: int
    truncated: float


LIMITS = {
    Difficulty.EASY: DifficultyLimits(40, 0, 0.15),
    Difficulty.MODERATE: DifficultyLimits(25, 1, 0.3),
    Difficulty.HARD: DifficultyLimits(25, 2, 0.5),
}


@dataclass(frozen=True, eq=False)
class KittiObjects:
    """M annotated objects of one frame.

    types: KITTI's classes, including DontCare. boxes: (M, 7) in the LiDAR frame, a row of zeros
    without a 3D box. image_boxes: (M, 4) xyxy pixels. occluded: (M,) 0 to 3, or -1. truncated: (M,)
    0 to 1, or -1.
    """

    types: tuple[str, ...]
    boxes: Boxes3D
    image_boxes: Boxes
    occluded: Ints
    truncated: F64

    def __post_init__(self) -> None:
        values: dict[str, AnyArray] = {
            "boxes": np.array(self.boxes, dtype=np.float64).reshape(-1, 7),
            "image_boxes": np.array(self.image_boxes, dtype=np.float32).reshape(-1, 4),
            "occluded": np.array(self.occluded, dtype=np.int64).reshape(-1),
            "truncated": np.array(self.truncated, dtype=np.float64).reshape(-1),
        }
        for name, value in values.items():
            if len(value) != len(self.types):
                raise ValueError(f"{len(self.types)} types but {len(value)} {name}")
            object.__setattr__(self, name, value)

    def __len__(self) -> int:
        return len(self.types)

    def of_type(self, name: str) -> Bools:
        """(M,) whether each is of a class, ignoring case."""
        return np.array([one.casefold() == name.casefold() for one in self.types], dtype=bool)

    def regions(self) -> Bools:
        """(M,) whether each is a region of unknown content."""
        return self.of_type(REGION)

    def required(self, name: str, difficulty: Difficulty) -> Bools:
        """(M,) whether each must be found in an evaluation of a class."""
        limits = LIMITS[difficulty]
        heights = self.image_boxes[:, 3] - self.image_boxes[:, 1]
        plain = (self.occluded <= limits.occluded) & (self.truncated <= limits.truncated)
        return np.asarray(self.of_type(name) & plain & (heights > limits.height))

    def ignored(self, name: str, difficulty: Difficulty) -> Bools:
        """(M,) whether each may be found or not: too hard, or of a similar class."""
        return np.asarray(self.of_similar_type(name) & ~self.required(name, difficulty))

    def of_similar_type(self, name: str) -> Bools:
        """(M,) whether each is of a class or of the class similar to it."""
        similar = SIMILAR.get(name.casefold(), "")
        return np.asarray(self.of_type(name) | self.of_type(similar))
