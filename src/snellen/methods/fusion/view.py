"""The view of a camera+LiDAR run."""

from __future__ import annotations

from pathlib import Path

from snellen.methods.fusion.numbers import fusion_numbers
from snellen.methods.fusion.own_numbers import FusionNumbers
from snellen.methods.fusion.section import fusion_sections
from snellen.methods.fusion.words import case_facts, fusion_rows, fusion_steps
from snellen.methods.view import RunRecord, View, ViewWords
from snellen.pages.embedded_pictures import Album
from snellen.pages.page_section import PageSection, Place, Resource
from snellen.store.findings import Finding
from snellen.store.summary import OwnNumbers, Summary


class FusionView(View):
    """Errors in both sensors, where and with what; findings can be rotated in 3D."""

    words = ViewWords(
        controls="insertions of background in the same silhouettes, in which nothing may change",
        control_kinds={
            "null": "background in the silhouette of an inserted object, in both sensors",
            "zero": "an insertion of nothing, which changes neither sensor",
            "out-of-view": "an object behind the vehicle, outside the camera's view",
        },
        page=", where findings can be rotated in 3D",
    )
    styles = (Resource("snellen.methods.fusion", "fusion.css"),)
    control_bars = ("null",)
    rebuilds = True
    page_bytes = 7_000_000

    def numbers(self, record: RunRecord) -> OwnNumbers:
        """Errors, rates, the search, and precision against the labels."""
        return fusion_numbers(record).to_json()

    def rows(self, summary: Summary) -> dict[str, str]:
        """Errors, where they are most frequent, and the search."""
        return fusion_rows(_numbers(summary), summary.failing_cases)

    def steps(self, summary: Summary, folder: Path) -> list[str]:
        """Where to look first, or how to find more."""
        return fusion_steps(_numbers(summary), summary.test_cases, summary.failing_cases)

    def sections(self, record: RunRecord, summary: Summary, album: Album) -> list[PageSection]:
        """Errors, precision, places and the search."""
        return [PageSection(Place.AFTER_FINDINGS, fusion_sections(_numbers(summary)))]

    def facts(self, finding: Finding) -> tuple[str, ...]:
        """Distance, points and fitness."""
        return case_facts(finding)


def _numbers(summary: Summary) -> FusionNumbers:
    return FusionNumbers.model_validate(summary.own)


VIEW = FusionView()
