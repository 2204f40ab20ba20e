"""The view of label combinations."""

from __future__ import annotations

from pathlib import Path

from snellen.methods.combinations.cases import outcomes
from snellen.methods.combinations.composite_card import CompositeCards
from snellen.methods.combinations.numbers import combination_numbers
from snellen.methods.combinations.own_numbers import CombinationNumbers
from snellen.methods.combinations.pairs.heatmap import map_data
from snellen.methods.combinations.section import causes_and_pairs, labels_and_coverage
from snellen.methods.combinations.words import (
    accuracy_tiles,
    combination_rows,
    combination_steps,
    composed_rates,
    composed_verdict,
)
from snellen.methods.view import RunRecord, View, ViewWords
from snellen.pages.embedded_pictures import Album
from snellen.pages.markup import Markup, joined, tag
from snellen.pages.page_section import PageSection, Place, RateRow, Resource, Tile
from snellen.store.findings import Finding
from snellen.store.summary import OwnNumbers, Summary
from snellen.subjects.subject import Task

PACKAGE = "snellen.methods.combinations.pairs"


class CombinationsView(View):
    """Why compositions fail, on which labels, and the coverage of the rows."""

    words = ViewWords(
        units="rows",
        cases="compositions",
        controls="the objects of a composition one by one; it fails if any of them does alone",
        control_kinds={"alone": "each object of a composition alone, at the same place and size"},
        findings="The worst compositions",
        gallery="interaction errors first. Beside a composition is the smallest part of it that "
        "still fails, if there is one. Select one to enlarge it.",
        page=", its map shows which labels go wrong together",
        wide="the interval is wide; more `images` per row narrow it",
    )
    styles = (Resource(PACKAGE, "heatmap.css"),)
    scripts = (Resource(PACKAGE, "heatmap.js"),)
    events_table = False

    def numbers(self, record: RunRecord) -> OwnNumbers:
        """Errors, causes, accuracy, coverage, and the worst pairs."""
        found = combination_numbers(record)
        if found is None:
            return {}
        # What the journal's facts lack stays absent.
        return found.model_dump(mode="json", by_alias=True, exclude_unset=True)

    def verdict(self, summary: Summary) -> str | None:
        """How many compositions fail only by interaction."""
        return composed_verdict(parsed(summary)) if summary.failing_cases else None

    def page_title(self, summary: Summary) -> Markup | None:
        """The share that fails, and the share that fails by interaction."""
        rate, found = summary.failure_rate.value, parsed(summary)
        if rate is None:
            return None
        lead = joined("failed in ", tag("em", f"{100 * rate:.1f}%"), " of compositions")
        together = found.interaction.rate.value
        if summary.failing_cases == found.unexplained or together is None:
            return lead
        share = f"{100 * together:.1f}%"
        return joined(lead, ", ", tag("em", share), " by interaction")

    def rate_rows(self, summary: Summary) -> list[RateRow]:
        """All failing compositions, and those that fail by interaction."""
        return composed_rates(parsed(summary))

    def tiles(self, summary: Summary) -> list[Tile]:
        """Interaction accuracies."""
        return accuracy_tiles(parsed(summary))

    def rows(self, summary: Summary) -> dict[str, str]:
        """Causes, the worst pairs, accuracy and coverage."""
        return combination_rows(parsed(summary))

    def steps(self, summary: Summary, folder: Path) -> list[str]:
        """What to do about labels that were never shown."""
        return combination_steps(parsed(summary))

    def sections(self, record: RunRecord, summary: Summary, album: Album) -> list[PageSection]:
        """Causes, the map of labels, the worst pairs; then labels and coverage."""
        found = record.once(outcomes)
        drawn = None if found is None else map_data(found, record.journal.get("facts"))
        own = parsed(summary)
        return [
            PageSection(Place.BEFORE_FINDINGS, causes_and_pairs(own, drawn)),
            PageSection(Place.AFTER_CONTROLS, labels_and_coverage(own)),
        ]

    def card(self, task: Task) -> CompositeCards:
        """Compositions beside their smallest failing parts."""
        return CompositeCards()

    def rank(self, finding: Finding) -> int:
        """Interaction errors first: they are worse than those of an object alone."""
        return 0 if finding.measurements.get("interaction") else 1


def parsed(summary: Summary) -> CombinationNumbers:
    """The method's own numbers of a summary."""
    return CombinationNumbers.model_validate(summary.own)


VIEW = CombinationsView()
