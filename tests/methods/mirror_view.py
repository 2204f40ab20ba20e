"""A method that no part of Snellen knows, with a view of its own."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from snellen.configuration import Options
from snellen.contract.method import Method, Setting
from snellen.methods.kind import MethodKind
from snellen.methods.view import RunRecord, View, ViewWords
from snellen.pages.embedded_pictures import Album
from snellen.pages.page_section import PageSection, Place, Resource, Tile
from snellen.pages.tables import section
from snellen.statistics.non_inferiority import LossStatus
from snellen.store.findings import Finding
from snellen.store.summary import OwnNumbers, RequirementVerdict, Summary


class MirrorView(View):
    words = ViewWords(units="mirrors", cases="reflections", page=", it shines")
    styles = (Resource("snellen.methods.fusion", "fusion.css"),)

    def numbers(self, record: RunRecord) -> OwnNumbers:
        [(count,)] = record.journal.rows("SELECT count(*) FROM cases")
        return {"mirrored": count}

    def tests(self, record: RunRecord) -> Sequence[RequirementVerdict]:
        rate = record.rates.of("test")
        return [
            RequirementVerdict(
                name="mirrors",
                status=LossStatus.VIOLATED if rate.failing else LossStatus.SATISFIED,
                value=rate.value,
                low=rate.low,
                high=rate.high,
                says=f"{rate.failing:.0f} reflections differ",
            )
        ]

    def verdict(self, summary: Summary) -> str | None:
        return "The mirror has spoken."

    def tiles(self, summary: Summary) -> Sequence[Tile]:
        return [Tile(str(summary.own["mirrored"]), "looked into")]

    def rows(self, summary: Summary) -> dict[str, str]:
        return {"mirrored": f"{summary.own['mirrored']} cases"}

    def steps(self, summary: Summary, folder: Path) -> list[str]:
        return ["polish the mirror"]

    def sections(self, record: RunRecord, summary: Summary, album: Album) -> Sequence[PageSection]:
        return [PageSection(Place.AFTER_CONTROLS, section("Mirrors", id="mirrors"))]

    def facts(self, finding: Finding) -> tuple[str, ...]:
        return ("seen in a mirror",)


class MirrorOptions(Options):
    pass


def prepare(options: MirrorOptions, setting: Setting) -> Method:
    raise NotImplementedError


METHOD = MethodKind(MirrorOptions, prepare, view="tests.methods.mirror_view:VIEW")
VIEW = MirrorView()
