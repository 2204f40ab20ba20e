"""The view of a run of requirements."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from snellen.contract.planned_verdict import PlannedVerdict
from snellen.methods.requirements.comparison.requirement_comparison import RequirementComparison
from snellen.methods.requirements.numbers import requirement_numbers, requirement_rows
from snellen.methods.requirements.options import RequirementOptions
from snellen.methods.requirements.own_numbers import RequirementNumbers, RequirementRow
from snellen.methods.requirements.page.axis_samples import strip_of
from snellen.methods.requirements.page.change_curves import change_curves
from snellen.methods.requirements.page.section import requirements
from snellen.methods.requirements.planned_checks import planned_checks
from snellen.methods.requirements.specification.requirement_file import read_requirements
from snellen.methods.requirements.words import gate_steps, loss_words, requirement_verdict
from snellen.methods.view import RunRecord, View, ViewWords
from snellen.pages.embedded_pictures import Album
from snellen.pages.markup import Markup, joined, tag
from snellen.pages.page_section import PageSection, Place, RateRow, Resource, Tile
from snellen.scenes.scene import SceneSet
from snellen.statistics.non_inferiority import LossStatus
from snellen.store.journal import Journal
from snellen.store.summary import OwnNumbers, RequirementVerdict, Summary

STRIPS = 24
"""Axes of visual change with pictures."""


class RequirementsView(View):
    """Requirements with their verdicts, and metrics over visual change."""

    words = ViewWords(
        control_kinds={"reencode": "the scene, compressed once more (a check of the tool)"},
        page=", its curves show at which visual change it breaks",
        wide=None,
        value="loss",
    )
    styles = (Resource("snellen.methods.requirements.page", "requirements.css"),)
    comparison = RequirementComparison()

    def numbers(self, record: RunRecord) -> OwnNumbers:
        """The key `reliability`."""
        return requirement_numbers(record).to_json()

    def tests(self, record: RunRecord) -> list[RequirementVerdict]:
        """Every requirement with its verdict."""
        return [one.verdict() for one in requirement_rows(record)]

    def planned_tests(self, options: Mapping[str, Any], folder: Path) -> tuple[str, ...]:
        """The requirements of the file, or those selected by `only`."""
        found, only = read_requirements(folder / options["file"]), options["only"]
        return tuple(one.name for one in found if not only or one.name in only)

    def planned_verdicts(
        self, options: Mapping[str, Any], folder: Path, scenes: SceneSet
    ) -> list[PlannedVerdict]:
        """One for each requirement of the file."""
        return planned_checks(RequirementOptions.model_validate(dict(options)), folder, scenes)

    def recorded_tests(self, journal: Journal) -> tuple[str, ...]:
        """The requirements that the run was started with."""
        facts = journal.get("facts") or {}
        return tuple(one["name"] for one in facts.get("requirements", ()))

    def verdict(self, summary: Summary) -> str | None:
        """How many are violated or undecided."""
        return requirement_verdict(summary.requirements) if summary.requirements else None

    def decided(self, record: RunRecord, level: Callable[[float], float]) -> bool:
        """Whether every requirement that can be decided is; one that demands nothing can't."""
        rows = [one for one in requirement_rows(record) if one.threshold not in one.demands_nothing]
        return all(one.status != LossStatus.UNDECIDED for one in rows)

    def terminal_title(self, summary: Summary) -> str | None:
        """How many requirements were checked."""
        count = len(summary.requirements)
        if not count:
            return None
        return f", checked on [bold]{count} requirement{'s' if count > 1 else ''}[/]"

    def page_title(self, summary: Summary) -> Markup | None:
        """The number violated, else undecided, else satisfied."""
        count, of = Counter(one.status for one in summary.requirements), len(summary.requirements)
        if not of:
            return None
        noun = f"requirement{'s' if of > 1 else ''}"
        verbs = {LossStatus.VIOLATED: "violates", LossStatus.UNDECIDED: "leaves undecided"}
        for status, verb in verbs.items():
            if count[status]:
                return joined(f"{verb} ", tag("em", f"{count[status]} of {of}"), f" {noun}")
        return joined("satisfies ", tag("em", f"{of} of {of}"), f" {noun}")

    def rate_rows(self, summary: Summary) -> list[RateRow] | None:
        """No rates: some loss is tolerated, so the failure rate says little."""
        return [] if summary.requirements else None

    def tiles(self, summary: Summary) -> list[Tile]:
        """How many cases were answered differently from their scene."""
        words = f"of {summary.test_cases} cases answered differently from their scene"
        return [Tile(f"{summary.failing_cases}", words)]

    def test_words(self, test: RequirementVerdict) -> str | None:
        """The loss and the tolerated loss."""
        if test.value is None:
            return None
        row = RequirementRow.of(test)
        lost = loss_words(row.value, row.ends, row.metric)
        return f"loses {lost}, {round(100 * row.margin, 2):g} tolerated"

    def steps(self, summary: Summary, folder: Path) -> list[str]:
        """What to do with the verdicts, and about undecided ones."""
        return gate_steps(_rows(summary), folder)

    def sections(self, record: RunRecord, summary: Summary, album: Album) -> list[PageSection]:
        """Curves over visual change, with a strip of pictures for each axis."""
        groups, run = RequirementNumbers.model_validate(summary.own).reliability, record.run
        strips = [] if run is None else [strip_of(record.journal, run, g) for g in groups[:STRIPS]]
        curves = change_curves(_rows(summary), groups, strips, album)
        return [PageSection(Place.BEFORE_FINDINGS, one) for one in curves]

    def tests_section(self, summary: Summary) -> Markup | None:
        """Every requirement with its loss, its average precision and its distance."""
        return requirements(_rows(summary))


def _rows(summary: Summary) -> list[RequirementRow]:
    return [RequirementRow.of(one) for one in summary.requirements]


VIEW = RequirementsView()
