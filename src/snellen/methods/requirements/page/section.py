"""Requirements on the page: a table of verdicts."""

from __future__ import annotations

from collections.abc import Sequence

from snellen.methods.requirements.own_numbers import DistanceNumbers, RequirementRow
from snellen.methods.requirements.page.verdict_cells import (
    certainty_words,
    demand_words,
    step_words,
)
from snellen.methods.requirements.words import family_words
from snellen.pages.markup import Child, Markup, tag
from snellen.pages.tables import section, table
from snellen.store.estimate import p_words

SIGNS = {"satisfied": "✓", "violated": "✗", "undecided": "?"}
EQUAL = "two equal detectors score about 0.4"


def status(word: str) -> Markup:
    """A verdict as a badge: a sign, a word and a colour."""
    sign = tag("span", f"{SIGNS[word]} ", aria_hidden="true")
    return tag("span", sign, word, class_=f"status {word}")


def requirements(found: Sequence[RequirementRow]) -> Markup | None:
    """Every requirement with its verdict and evidence; None without any."""
    if not found:
        return None
    order = ("violated", "undecided", "satisfied")
    ranked = sorted(found, key=lambda one: order.index(one.status))
    return section(
        "Requirements",
        tag(
            "p",
            "A requirement is satisfied if its loss is shown to be within the tolerated loss, "
            "violated if it is shown to be beyond, and undecided otherwise or with too few "
            f"objects. {_levels(found)} The ends of each interval are the bounds of the two "
            "tests.",
        ),
        _family(found),
        tag(
            "div",
            table(HEADS, [_row(one) for one in ranked], "Requirements, violated ones first"),
            class_="verdicts",
        ),
        table(
            ("requirement", "loss", "loss of average precision", "distance"),
            [_numbers(one) for one in ranked],
            "The same in numbers, with those of the published method",
        ),
        tag(
            "p",
            "Loss: the metric before minus after the change, on the same scenes, in percentage "
            "points; of a subtask, its part of the loss of the task, so that the losses of the "
            "subtasks add up to that of the whole. Distance: as published, the share of the "
            "changed precision-recall curve below the original. It decides nothing here, since "
            f"{EQUAL}: compare it with its null, its mean when changed and unchanged images are "
            "exchanged at random.",
            class_="facts",
        ),
        id="requirements",
    )


def _levels(found: Sequence[RequirementRow]) -> str:
    """The level of the tests."""
    levels = sorted({one.level for one in found if one.level is not None})
    if not levels:
        return ""
    named = " or ".join(f"{100 * one:.2g}%" for one in levels)
    return f"Each of these two tests is wrong in at most {named} of runs at the tolerated loss."


def _family(found: Sequence[RequirementRow]) -> Markup | None:
    """What is said of all requirements together."""
    words = family_words(found).strip()
    return tag("p", words) if words else None


HEADS = ("requirement", "verdict", "demanded", "found", "how sure", "what to do")


def _row(one: RequirementRow) -> list[Child]:
    """The verdict in words; each cell has its heading for narrow screens."""
    words = (demand_words(one), _found(one), certainty_words(one), step_words(one))
    return [
        tag("span", one.name),
        status(one.status),
        *(
            tag("span", tag("b", head, class_="cell-head"), text, class_="says")
            for head, text in zip(HEADS[2:], words, strict=True)
        ),
    ]


def _found(one: RequirementRow) -> str:
    parts = f"; satisfied if its {len(one.parts)} parts are" if one.parts else ""
    return one.says + parts


def _numbers(one: RequirementRow) -> list[Child]:
    area = one.metrics.get("average precision")
    return [
        one.name,
        _loss(one.value, one.low, one.high, one.metric),
        _loss(area.loss.value, area.loss.low, area.loss.high) if area else None,
        _distance(one.distance),
    ]


def _loss(
    value: float | None, low: float | None, high: float | None, of: str | None = None
) -> Child:
    if value is None:
        return "not known"
    ends = tag("small", f"{_points(low)} to {_points(high)}")
    return tag("span", _points(value), tag("small", of) if of else None, ends, class_="measured")


def _points(value: float | None) -> str:
    return "?" if value is None else f"{100 * value:.1f}"


def _distance(found: DistanceNumbers) -> Child:
    if found.value is None:
        return "not known"
    null = f"null {found.null:.2f}" if found.null is not None else "no null"
    chance = "" if found.p_value is None else f", {p_words(found.p_value)}"
    return tag("span", f"{found.value:.2f}", tag("small", f"{null}{chance}"), class_="measured")
