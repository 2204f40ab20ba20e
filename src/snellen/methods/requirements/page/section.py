"""Requirements on the page: a table of verdicts."""

from __future__ import annotations

from collections.abc import Sequence

from snellen.methods.requirements.own_numbers import DistanceNumbers, RequirementRow
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
            "A requirement is satisfied if the whole interval of its loss is at or below the "
            "tolerated loss, violated if all of it is above, and undecided otherwise or with too "
            "few objects.",
        ),
        table(heads, [_row(one) for one in ranked], "Requirements, violated ones first"),
        tag(
            "p",
            "Loss: the metric before minus after the change, on the same scenes, in percentage "
            "points. Distance: as published, the share of the changed precision-recall curve below "
            f"the original. It decides nothing here, since {EQUAL}: compare it with its null, its "
            "mean when changed and unchanged images are exchanged at random.",
            class_="facts",
        ),
        id="requirements",
    )


def _row(one: RequirementRow) -> list[Child]:
    thresholds = ", ".join(f"{value:g}" for value in one.thresholds)
    part = f"whole {one.task}" if one.subtask == "whole" else one.subtask
    about = f"{part}, {one.label}, {one.transformation} up to {thresholds}"
    area = one.metrics.get("average precision")
    return [
        tag("span", one.name, tag("small", about)),
        status(one.status),
        _loss(one.value, one.low, one.high, one.metric),
        f"{100 * one.margin:g}",
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
