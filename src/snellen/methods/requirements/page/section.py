"""Requirements on the page: a table of verdicts."""

from __future__ import annotations

from collections.abc import Sequence

from snellen.methods.requirements.own_numbers import DistanceNumbers, RequirementRow
from snellen.methods.requirements.words import family_words
from snellen.pages.markup import Child, Markup, tag
from snellen.pages.tables import section, table

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
    heads = [
        "requirement",
        "verdict",
        "loss",
        "tolerated",
        "average precision",
        "distance",
        "found",
    ]
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
        table(heads, [_row(one) for one in ranked], "Requirements, violated ones first"),
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


MARGINS = {"share": "its share of the whole", "people": "as people lose", "set": None}


def _tolerated(one: RequirementRow) -> Child:
    """The margin, and where it comes from."""
    margin = one.margins.get(one.metric or "")
    source = None if margin is None else MARGINS[margin.source]
    parts = f"satisfied if its {len(one.parts)} parts are" if one.parts else None
    points = f"{round(100 * one.margin, 2):g}"
    if margin is not None and margin.low < margin.high:
        points += f" ({_points(margin.low)} to {_points(margin.high)})"
    small = [tag("small", words) for words in (source, parts) if words]
    return tag("span", points, *small, class_="measured") if small else points


def _row(one: RequirementRow) -> list[Child]:
    thresholds = ", ".join(f"{value:g}" for value in one.thresholds)
    part = f"whole {one.task}" if one.subtask == "whole" else one.subtask
    about = f"{part}, {one.label}, {one.transformation} up to {thresholds}"
    area = one.metrics.get("average precision")
    return [
        tag("span", one.name, tag("small", about)),
        status(one.status),
        _loss(one.value, one.low, one.high, one.metric),
        _tolerated(one),
        _loss(area.loss.value, area.loss.low, area.loss.high) if area else None,
        _distance(one.distance),
        tag("span", one.says, class_="says"),
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
    chance = "" if found.p_value is None else f", p = {found.p_value:.3f}"
    return tag("span", f"{found.value:.2f}", tag("small", f"{null}{chance}"), class_="measured")
