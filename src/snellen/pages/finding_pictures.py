"""A finding with its pictures."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property

from snellen.pages.marks import Mark, Sides
from snellen.pages.overlay import Image
from snellen.pages.solids.solid_case import SolidCase
from snellen.pages.solids.solid_marks import SolidMark
from snellen.store.findings import Finding
from snellen.subjects.subject import Prediction


@dataclass(frozen=True, eq=False)
class Part:
    """The smallest part of a composition that still fails, H x W x 3, and the marks on it."""

    image: Image
    marks: tuple[Mark, ...]


@dataclass(frozen=True, eq=False)
class Solid:
    """A camera+LiDAR case in space, and the marks there."""

    case: SolidCase
    marks: tuple[SolidMark, ...]

    @cached_property
    def above(self) -> Image:
        """The case from above, drawn once."""
        from snellen.pages.solids.birds_eye import birds_eye  # which needs what is drawn on images

        return birds_eye(self.case, self.marks)


@dataclass(frozen=True, eq=False)
class Pictured:
    """A finding, its scene before and its case after, and the marks on them.

    before, after: H x W x 3 uint8 RGB; there is nothing before a composition. label: of the
    inserted object, or None. said: the answers before (None where the truth is known otherwise) and
    after. objects: labels of a composition's objects by id. told: more lines of its caption.
    solid: the 3D side of a camera+LiDAR case.
    """

    finding: Finding
    before: Image | None
    after: Image
    marks: Sides
    label: str | None
    said: tuple[Prediction | None, Prediction]
    objects: Mapping[str, str] = field(default_factory=dict)
    smallest: Part | None = None
    told: tuple[str, ...] = ()
    solid: Solid | None = None
