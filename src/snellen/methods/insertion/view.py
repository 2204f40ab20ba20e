"""What a run of insertion shows."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from snellen.contract.verdict import TEST
from snellen.methods.inserted_objects import inserted_rows, inserted_section, inserted_tiles
from snellen.methods.insertion.box_shift import shift_rows, shift_section, shift_steps
from snellen.methods.insertion.numbers import InsertionNumbers, insertion_numbers, relocations
from snellen.methods.insertion.section import distance_section
from snellen.methods.paste.paste_controls import CONTROLS, EXPOSED, WORDS
from snellen.methods.view import RunRecord, View, ViewWords
from snellen.pages.embedded_pictures import Album
from snellen.pages.page_section import PageSection, Place, Tile
from snellen.store.findings import Finding
from snellen.store.summary import OwnNumbers, Summary

RELOCATION = "relocation"


class InsertionView(View):
    """Failure rate by distance, relocation, and the inserted objects."""

    words = ViewWords(controls=CONTROLS, control_kinds=WORDS)
    control_bars = EXPOSED

    def numbers(self, record: RunRecord) -> OwnNumbers:
        """The keys `inserted`, `relocation`, `by_gap` and `shift`."""
        return insertion_numbers(record).to_json()

    def tiles(self, summary: Summary) -> list[Tile]:
        """How many inserted objects were missed."""
        return inserted_tiles(_numbers(summary).inserted)

    def rows(self, summary: Summary) -> dict[str, str]:
        """Missed inserted objects, a systematic shift of boxes, and the result of relocation."""
        found = _numbers(summary)
        rows = inserted_rows(found.inserted) | shift_rows(found.shift)
        moves = found.relocation
        if moves is not None:
            rows[RELOCATION] = (
                f"{moves.moved} of {moves.started} still fail closer to the target, "
                f"{moves.reached_target} at it; {moves.unique} new cases"
            )
        return rows

    def steps(self, summary: Summary, folder: Path) -> list[str]:
        """Where to look if boxes shift or nothing was inserted."""
        if summary.test_cases:
            return shift_steps(_numbers(summary).shift)
        return [
            "nothing was inserted: check with `snellen check` that the subject detects objects and "
            "with `snellen objects show` that the library has their labels"
        ]

    def sections(self, record: RunRecord, summary: Summary, album: Album) -> list[PageSection]:
        """Distances, shifts of boxes, and the inserted objects."""
        found = _numbers(summary)
        progress = [move.progress for move in record.once(relocations)]
        control = summary.control.rate if summary.control.cases else None
        labels = record.run.labels if record.run else {}
        distance = distance_section(found, progress, control)
        objects = inserted_section(found.inserted, labels)
        return [
            PageSection(Place.AFTER_EVENTS, distance),
            PageSection(Place.AFTER_EVENTS, shift_section(found.shift)),
            PageSection(Place.AFTER_CONTROLS, objects),
        ]

    def facts(self, finding: Finding) -> tuple[str, ...]:
        """The distance of the object, and whether relocation found the case."""
        near = finding.measurements.get("gap")
        facts = [] if near is None else [f"{near:.0f} px from the nearest object"]
        return (*facts, "found by relocation") if finding.role == RELOCATION else tuple(facts)

    def origin(self, findings: Sequence[Finding]) -> str:
        """How many relocation added."""
        moved = sum(one.role != TEST for one in findings)
        return f" ({moved} of them by relocation)" if moved else ""


def _numbers(summary: Summary) -> InsertionNumbers:
    return InsertionNumbers.model_validate(summary.own)


VIEW = InsertionView()
