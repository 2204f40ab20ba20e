"""Pictures of failing compositions, each beside the smallest part of it that still fails."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from snellen.methods.combinations.composites import (
    composite_lines,
    diagnosis_of,
    evidence_of,
    smallest_part,
)
from snellen.methods.combinations.object_marks import object_marks
from snellen.pages.embedded_pictures import embedded
from snellen.pages.finding_pictures import AFTER, AnsweredFinding, CasePictures, as_png
from snellen.pages.gallery import Card
from snellen.pages.marks import Mark, Sides
from snellen.pages.pair_picture import captioned_sheet, legend_lines, marked_panel
from snellen.pages.solids.solid_words import happened
from snellen.scenes.pictures import read_picture
from snellen.store.findings import Finding, prediction
from snellen.store.journal import Journal
from snellen.store.opened_run import OpenedRun
from snellen.store.run_folder import OVERLAY
from snellen.vision.arrays import Image

SMALLEST = "smallest.png"
WHOLE_TITLE, SMALLEST_TITLE = "composition", "smallest failing part"


@dataclass(frozen=True, eq=False)
class MarkedImage:
    """H x W x 3 uint8 RGB, and the marks on it."""

    image: Image
    marks: tuple[Mark, ...]

    def panel(self) -> Any:
        """The whole image with its marks, scaled for an overlay."""
        height, width = self.image.shape[:2]
        return marked_panel(self.image, (0, 0, width, height), self.marks)


@dataclass(frozen=True, eq=False)
class DrawnComposite:
    """A composition that failed, and its smallest part that still fails, None if it is the whole.

    objects: labels of its objects by id. lines: truth and answer, the cause, the smallest parts.
    """

    finding: Finding
    whole: MarkedImage
    objects: Mapping[str, str]
    smallest: MarkedImage | None = None
    lines: tuple[str, ...] = ()

    @property
    def details(self) -> Mapping[str, Any]:
        """The labels of its objects; nothing is inserted, so `label` is None."""
        return {"label": None, "objects": dict(self.objects)}

    def files(self) -> dict[str, bytes]:
        """The composition, its smallest failing part, and both side by side."""
        images = {AFTER: self.whole.image, OVERLAY: self.overlay()}
        if self.smallest is not None:
            images[SMALLEST] = self.smallest.image
        return {name: as_png(image) for name, image in images.items()}

    def overlay(self) -> Image:
        """One picture: the composition, its smallest failing part, a caption and a legend."""
        panels = {WHOLE_TITLE: self.whole.panel()}
        if self.smallest is not None:
            panels[SMALLEST_TITLE] = self.smallest.panel()
        legend = legend_lines(Sides((), self.whole.marks))
        return captioned_sheet(panels, [*happened(self.finding), *self.lines, *legend])

    def card(self, limit: int) -> Card:
        """Composition and part on the page, whole."""
        whole, part = self.whole, self.smallest
        return Card(
            self.finding,
            embedded(whole.image, whole.image if part is None else part.image, limit),
            Sides(whole.marks, () if part is None else part.marks),
            None,
            (whole.image.shape[0], whole.image.shape[1]),
            sides=(WHOLE_TITLE,) if part is None else (WHOLE_TITLE, SMALLEST_TITLE),
            whole=True,
            lines=self.lines,
        )


@dataclass(frozen=True, eq=False)
class CompositePictures:
    """A composition and its smallest failing part; objects: labels by id."""

    after: Image
    objects: Mapping[str, str]
    smallest: Image | None = None

    def same(self, other: CasePictures) -> bool:
        """Whether the composition is the same in every pixel."""
        return np.array_equal(self.after, other.after)

    def drawn(self, answered: AnsweredFinding) -> DrawnComposite:
        """The finding with its objects marked; the explanation only for the run's own answers."""
        finding, journal = answered.finding, answered.journal
        truth, said = answered.said
        classes, score = answered.classes, answered.score
        marks = object_marks(finding.recipe, said, classes, score, self.objects)
        whole = MarkedImage(self.after, marks)
        if journal is None:
            return DrawnComposite(finding, whole, self.objects)
        diagnosis = diagnosis_of(journal, finding)
        evidence = evidence_of(journal, finding)
        lines = composite_lines(diagnosis, truth, said, classes, score, evidence)
        part = self._part(answered, journal, smallest_part(journal, finding, diagnosis))
        return DrawnComposite(finding, whole, self.objects, part, lines)

    def _part(
        self, answered: AnsweredFinding, journal: Journal, case: Finding | None
    ) -> MarkedImage | None:
        if self.smallest is None or case is None:
            return None
        said = prediction(journal, case.after)
        assert said is not None
        classes, score = answered.classes, answered.score
        marks = object_marks(case.recipe, said, classes, score, self.objects)
        return MarkedImage(self.smallest, marks)


class CompositeCards:
    """Pictures of compositions, which have no scene before."""

    def rebuilt(self, run: OpenedRun, journal: Journal, finding: Finding) -> CompositePictures:
        """Composition and smallest failing part."""
        part = smallest_part(journal, finding, diagnosis_of(journal, finding))
        ids = [one[0] for one in finding.recipe["placed"]]
        return CompositePictures(
            run.case(finding),
            {id: run.labels[id] for id in ids if id in run.labels},
            None if part is None else run.case(part),
        )

    def kept(self, place: Path, details: Mapping[str, Any]) -> CompositePictures:
        """The same, from a finding folder."""
        part = read_picture(place / SMALLEST) if (place / SMALLEST).exists() else None
        return CompositePictures(read_picture(place / AFTER), dict(details["objects"]), part)
