"""What is shown of a run whose method is not installed any more."""

from __future__ import annotations

from collections.abc import Sequence

from snellen.methods.view import RunRecord, View
from snellen.pages.embedded_pictures import Album
from snellen.pages.markup import tag
from snellen.pages.page_section import PageSection, Place
from snellen.store.summary import Summary


class AbsentView(View):
    """The numbers that every run has, and that those of the method are missing."""

    def __init__(self, method: str) -> None:
        self._missing = (
            f"Method {method} is not installed, so its own numbers, requirements and sections are "
            "left out. Install the package that brings it and write the report again."
        )

    def rows(self, summary: Summary) -> dict[str, str]:
        """That the method is missing."""
        return {"missing": self._missing}

    def sections(self, record: RunRecord, summary: Summary, album: Album) -> Sequence[PageSection]:
        """That the method is missing."""
        return [PageSection(Place.BEFORE_FINDINGS, tag("p", self._missing, id="absent"))]
