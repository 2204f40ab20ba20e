"""A finding with its pictures."""

from __future__ import annotations

from dataclasses import dataclass

from snellen.report.findings import Finding
from snellen.report.marks import Sides
from snellen.report.overlay import Image
from snellen.subjects.subject import Prediction


@dataclass(frozen=True, eq=False)
class Pictured:
    """A finding, its scene before and its case after, and the marks on them.

    before, after: H x W x 3 uint8 RGB. label: of the inserted object, or None. said: the answers
    before (None where the truth is known otherwise) and after.
    """

    finding: Finding
    before: Image
    after: Image
    marks: Sides
    label: str | None
    said: tuple[Prediction | None, Prediction]
