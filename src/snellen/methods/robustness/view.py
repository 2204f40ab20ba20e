"""The view of robustness."""

from __future__ import annotations

from snellen.methods.inserted_objects import (
    inserted_rows,
    inserted_section,
    inserted_tiles,
)
from snellen.methods.paste.paste_controls import CONTROLS, EXPOSED, WORDS
from snellen.methods.robustness.instance_pictures import instance_pictures
from snellen.methods.robustness.numbers import robustness_numbers
from snellen.methods.robustness.own_numbers import RobustnessNumbers
from snellen.methods.robustness.section import robustness_sections
from snellen.methods.robustness.words import robustness_rows
from snellen.methods.view import RunRecord, View, ViewWords
from snellen.pages.embedded_pictures import Album
from snellen.pages.page_section import PageSection, Place, Resource, Tile
from snellen.store.summary import OwnNumbers, Summary


class RobustnessView(View):
    """At what distance insertions break instances, which ones, and their uncertainty."""

    words = ViewWords(
        controls=CONTROLS,
        control_kinds=WORDS,
        page=", with a picture of each instance that insertions break",
    )
    styles = (Resource("snellen.methods.robustness", "robustness.css"),)
    control_bars = EXPOSED

    def numbers(self, record: RunRecord) -> OwnNumbers:
        """By level, by instance, by uncertainty, and clusters."""
        return robustness_numbers(record).model_dump(mode="json", exclude_unset=True)

    def tiles(self, summary: Summary) -> list[Tile]:
        """How many inserted objects were missed."""
        return inserted_tiles(_own(summary).inserted)

    def rows(self, summary: Summary) -> dict[str, str]:
        """Inserted objects, instances and distances."""
        own = _own(summary)
        return {**inserted_rows(own.inserted), **robustness_rows(own)}

    def sections(self, record: RunRecord, summary: Summary, album: Album) -> list[PageSection]:
        """The instances with pictures, and the inserted objects."""
        own = _own(summary)
        pictures = instance_pictures(record.journal, record.run)
        labels = record.run.labels if record.run else {}
        return [
            PageSection(Place.BEFORE_FINDINGS, robustness_sections(own, pictures, album)),
            PageSection(Place.AFTER_CONTROLS, inserted_section(own.inserted, labels)),
        ]


def _own(summary: Summary) -> RobustnessNumbers:
    return RobustnessNumbers.model_validate(summary.own)


VIEW = RobustnessView()
