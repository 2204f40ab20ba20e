"""Findings with a scene before and a case after, side by side."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from snellen.pages.embedded_pictures import embedded
from snellen.pages.finding_pictures import AFTER, BEFORE, AnsweredFinding, CasePictures, as_png
from snellen.pages.gallery import Card
from snellen.pages.marks import Sides, sides
from snellen.pages.pair_picture import draw_pair
from snellen.pages.solids.solid_words import happened
from snellen.scenes.pictures import read_picture
from snellen.store.findings import Finding
from snellen.store.journal import Journal
from snellen.store.opened_run import OpenedRun
from snellen.store.run_folder import OVERLAY
from snellen.vision.arrays import Image


@dataclass(frozen=True, eq=False)
class DrawnPair:
    """A finding, its scene before and its case after, H x W x 3 uint8 RGB, and marks on them.

    label: of the inserted object, or None. facts: lines that its caption adds.
    """

    finding: Finding
    before: Image
    after: Image
    marks: Sides
    label: str | None
    facts: tuple[str, ...] = ()

    @property
    def details(self) -> Mapping[str, Any]:
        """The label."""
        return {"label": self.label}

    def files(self) -> dict[str, bytes]:
        """Before, after, and both side by side."""
        lines = happened(self.finding)
        overlay = draw_pair(self.before, self.after, self.marks, lines)
        images = {AFTER: self.after, BEFORE: self.before, OVERLAY: overlay}
        return {name: as_png(image) for name, image in images.items()}

    def card(self, limit: int) -> Card:
        """Before and after on the page."""
        pictures = embedded(self.before, self.after, limit)
        size = (self.after.shape[0], self.after.shape[1])
        return Card(self.finding, pictures, self.marks, self.label, size, facts=self.facts)


@dataclass(frozen=True, eq=False)
class PairPictures:
    """A scene before and a case after; label: of the inserted object, or None."""

    before: Image
    after: Image
    label: str | None = None

    def same(self, other: CasePictures) -> bool:
        """Whether the case is the same in every pixel."""
        return np.array_equal(self.after, other.after)

    def drawn(self, answered: AnsweredFinding) -> DrawnPair:
        """The finding with its events marked."""
        one = answered
        size = (self.before.shape[0], self.before.shape[1])
        marks = sides(one.finding, *one.said, one.classes, one.score, self.label, size=size)
        return DrawnPair(one.finding, self.before, self.after, marks, self.label, one.facts)


class PairCards:
    """Pictures of cases that change a scene."""

    def rebuilt(self, run: OpenedRun, journal: Journal, finding: Finding) -> PairPictures:
        """Scene and case."""
        scene = run.scene(finding.scene).pixels()
        return PairPictures(scene, run.case(finding), run.label(finding.recipe))

    def kept(self, place: Path, details: Mapping[str, Any]) -> PairPictures:
        """Scene and case from a finding folder."""
        before, after = (read_picture(place / name) for name in (BEFORE, AFTER))
        return PairPictures(before, after, details["label"])
