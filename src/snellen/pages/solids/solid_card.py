"""Findings of camera+LiDAR systems: image before and after, and the points in 3D."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from snellen.pages.embedded_pictures import embedded
from snellen.pages.finding_pictures import AFTER, BEFORE, AnsweredFinding, CasePictures, as_png
from snellen.pages.gallery import Card
from snellen.pages.marks import Sides
from snellen.pages.solids.birds_eye import birds_eye
from snellen.pages.solids.case_picture import draw_case
from snellen.pages.solids.drawn_space import DrawnSpace
from snellen.pages.solids.point_cloud import cloud_of
from snellen.pages.solids.rebuilt_case import rebuilt_case
from snellen.pages.solids.solid_case import SolidCase
from snellen.pages.solids.solid_marks import image_marks, solid_marks
from snellen.pages.solids.solid_words import happened, inserted_kinds
from snellen.scenes.pictures import read_picture
from snellen.store.findings import Finding
from snellen.store.journal import Journal
from snellen.store.opened_run import OpenedRun
from snellen.store.run_folder import OVERLAY
from snellen.vision.arrays import Image

BIRDS_EYE, CLOUD = "birds_eye.png", "cloud.npz"


@dataclass(frozen=True, eq=False)
class DrawnSolid:
    """A camera+LiDAR case, its images H x W x 3 uint8 RGB with marks on them, and its 3D side.

    label: the inserted objects, or None. facts: lines that its caption adds.
    """

    finding: Finding
    before: Image
    after: Image
    marks: Sides
    label: str | None
    space: DrawnSpace
    facts: tuple[str, ...] = ()

    @property
    def details(self) -> Mapping[str, Any]:
        """The label."""
        return {"label": self.label}

    def files(self) -> dict[str, bytes]:
        """Before, after, from above, all of them on one sheet, and the points."""
        details = [f"inserted: {self.label}" if self.label else "nothing inserted", *self.facts]
        lines = [*happened(self.finding), *details]
        pair = (self.before, self.after) if self.space.case.image else None
        overlay = draw_case(pair, self.marks, self.space.above, lines)
        images = {AFTER: self.after, BEFORE: self.before, OVERLAY: overlay}
        images[BIRDS_EYE] = self.space.above
        return {
            **{name: as_png(image) for name, image in images.items()},
            CLOUD: self.space.case.to_bytes(),
        }

    def card(self, limit: int) -> Card:
        """Images and points on the page; of a frame without an image, its points from above."""
        cloud = cloud_of(self.space, limit)
        if not self.space.case.image:
            above = self.space.above
            return Card(
                self.finding, embedded(above, above, limit), Sides((), ()), self.label,
                (above.shape[0], above.shape[1]), sides=("from above",), whole=True,
                facts=self.facts, cloud=cloud,
            )  # fmt: skip
        pictures = embedded(self.before, self.after, limit - cloud.size)
        size = (self.after.shape[0], self.after.shape[1])
        return Card(
            self.finding, pictures, self.marks, self.label, size, facts=self.facts, cloud=cloud
        )


@dataclass(frozen=True, eq=False)
class SolidPictures:
    """A frame before and a case after, in the image and in 3D; label: the inserted objects."""

    before: Image
    after: Image
    label: str | None
    solid: SolidCase

    def same(self, other: CasePictures) -> bool:
        """Whether the case is the same in pixels and in points."""
        if not isinstance(other, SolidPictures):
            return False
        return np.array_equal(self.after, other.after) and self.solid.same(other.solid)

    def drawn(self, answered: AnsweredFinding) -> DrawnSolid:
        """The finding with its events marked in the image and in 3D."""
        one = answered
        given = (one.finding, one.said, one.classes, one.score, self.solid)
        space = DrawnSpace(self.solid, solid_marks(*given))
        marks = image_marks(*given)
        return DrawnSolid(one.finding, self.before, self.after, marks, self.label, space, one.facts)


class SolidCards:
    """Pictures of camera+LiDAR cases; where a frame has no image, its points from above."""

    def rebuilt(self, run: OpenedRun, journal: Journal, finding: Finding) -> SolidPictures:
        """Frame and case."""
        case, before, after = rebuilt_case(run, finding)
        label = inserted_kinds(finding.recipe)
        if before is None or after is None:
            shown = birds_eye(case, ())
            return SolidPictures(shown, shown, label, case)
        return SolidPictures(before, after, label, case)

    def kept(self, place: Path, details: Mapping[str, Any]) -> SolidPictures:
        """Frame and case from a finding folder."""
        before, after = (read_picture(place / name) for name in (BEFORE, AFTER))
        case = SolidCase.from_bytes((place / CLOUD).read_bytes())
        return SolidPictures(before, after, details["label"], case)
