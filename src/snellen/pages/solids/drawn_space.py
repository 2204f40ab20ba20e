"""A camera+LiDAR case in 3D with its marks."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from snellen.pages.solids.birds_eye import birds_eye
from snellen.pages.solids.solid_case import SolidCase
from snellen.pages.solids.solid_marks import SolidMark
from snellen.vision.arrays import Image


@dataclass(frozen=True, eq=False)
class DrawnSpace:
    """A camera+LiDAR case in 3D with its marks."""

    case: SolidCase
    marks: tuple[SolidMark, ...]

    @cached_property
    def above(self) -> Image:
        """The case from above, drawn once."""
        return birds_eye(self.case, self.marks)
