"""What a run of the method shows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from snellen.api import (
    TEST,
    Album,
    Estimate,
    Finding,
    Markup,
    OpenedRun,
    OwnNumbers,
    PageSection,
    Place,
    RequirementVerdict,
    Resource,
    RunRecord,
    Summary,
    View,
    ViewWords,
    loss_status,
    percent,
    section,
    tag,
)
from snellen_mirror.halves import HALVES, cause_numbers, half_numbers


class MirrorView(View):
    """Rates of both halves of the scenes, causes, and the requirement."""

    words = ViewWords(
        cases="mirrored scenes",
        controls="scenes that are compressed as JPEG, quality 95, and not mirrored",
        control_kinds={"reencode": "the scene compressed as JPEG, quality 95"},
        value="share of scenes that break",
    )
    styles = (Resource("snellen_mirror", "mirror.css"),)

    def trigger(self, finding: Finding, run: OpenedRun | None) -> str:
        """What every case does to its scene."""
        return "mirroring the scene"

    def numbers(self, record: RunRecord) -> OwnNumbers:
        """Halves and causes."""
        tests = record.rates.cases(TEST)
        return {"halves": half_numbers(tests, record.rates), "causes": cause_numbers(tests)}

    def tests(self, record: RunRecord) -> Sequence[RequirementVerdict]:
        """The one requirement: at most so many scenes break."""
        rate = record.rates.of(TEST)
        tolerated = record.journal.get("facts")["tolerated"]
        found = Estimate.of(rate)
        return [
            RequirementVerdict(
                name=requirement(tolerated),
                status=loss_status(rate, tolerated),
                value=found.value,
                low=found.low,
                high=found.high,
                says=f"{rate.failing:.0f} of {rate.cases:.0f} scenes break, {percent(found)}",
            )
        ]

    def planned_tests(self, options: Mapping[str, Any], folder: Path) -> tuple[str, ...]:
        """Its name before a run."""
        return (requirement(options["tolerated"]),)

    def test_words(self, test: RequirementVerdict) -> str | None:
        """Nothing: the sentence of the verdict has the number."""
        return None

    def rows(self, summary: Summary) -> dict[str, str]:
        """Both halves and the causes, for the terminal."""
        causes = summary.own["causes"]
        return {
            **{f"{half} half": half_words(summary.own["halves"][half]) for half in HALVES},
            "causes": f"{causes['object']} scenes by an object that breaks alone, "
            f"{causes['scene']} only as a whole",
        }

    def sections(self, record: RunRecord, summary: Summary, album: Album) -> Sequence[PageSection]:
        """Both halves side by side, as they are in a scene."""
        return [PageSection(Place.BEFORE_FINDINGS, halves_section(summary.own["halves"]))]

    def facts(self, finding: Finding) -> tuple[str, ...]:
        """The cause, where it is known."""
        alone = finding.measurements.get("alone")
        if alone is None:
            return ()
        return (f"worst object {'breaks' if alone else 'holds'} when mirrored alone",)


def requirement(tolerated: float) -> str:
    """The name of the requirement.

    >>> requirement(0.05)
    'at most 5% of mirrored scenes break'
    """
    return f"at most {100 * tolerated:g}% of mirrored scenes break"


def half_words(half: Mapping[str, Any]) -> str:
    """How many objects of a half break."""
    return f"{half['broken']} of {half['objects']} objects, {percent(half['rate'])}"


def halves_section(halves: Mapping[str, Any]) -> Markup:
    """A picture of a scene: each half as dark as it is bad."""
    return section(
        "Left and right",
        tag("p", "How many of the objects found in each half of the scenes break when mirrored."),
        tag("div", [_half(name, halves[name]) for name in HALVES], class_="mirror"),
        id="halves",
    )


def _half(name: str, half: Mapping[str, Any]) -> Markup:
    share = half["rate"]["value"] or 0.0
    return tag(
        "div",
        tag("span", f"{name} half", class_="mirror-name"),
        tag("strong", f"{half['broken']} of {half['objects']}"),
        tag("small", percent(half["rate"])),
        class_=f"mirror-half mirror-{name}",
        style=f"--share:{100 * share:.1f}%",
    )


VIEW = MirrorView()
