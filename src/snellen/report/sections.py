"""The parts of the page that are numbers: headline, events, controls, objects, errors."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from snellen.pages.markup import Markup, joined, tag
from snellen.pages.tables import SHOWN, figure, section, table
from snellen.report.words import control_words, percent, unit_word, verdict


def headline(summary: Mapping[str, Any]) -> Markup:
    """What was found and what it means: one sentence, the rates, a few numbers."""
    if summary.get("requirements"):
        return joined(tag("p", verdict(dict(summary)), class_="verdict"), _tiles(summary))
    rate = summary["failure_rate"]
    rows = [("cases", rate, summary["failing_cases"], summary["test_cases"], "tested")]
    if summary["control"]["cases"]:
        rows.append(_control_row("controls", summary["control"], "noise"))
    if "patch" in summary["controls"]:
        rows.append(_control_row("patch controls", summary["controls"]["patch"], "noise"))
    if "combinations" in summary:
        rows[:1] = _composed_rows(summary["combinations"])
    top = max([row[1]["high"] for row in rows if row[1]["value"] is not None], default=1.0)
    return joined(
        tag("p", verdict(dict(summary)), class_="verdict"),
        tag("div", [_rate_row(*row, top=top) for row in rows], class_="rates"),
        tag("p", _method_note(summary), class_="facts"),
        _tiles(summary),
    )


def _composed_rows(
    found: Mapping[str, Any],
) -> list[tuple[str, dict[str, Any], int, int, str]]:
    """All failing compositions, and beside them those that only fail together."""
    struck = {
        "compositions": found["error_images"],
        "by interaction": found["causes"]["interaction"],
    }
    return [
        (name, one["rate"], one["images"], found["images"], "tested")
        for name, one in struck.items()
    ]


def _control_row(
    name: str, control: Mapping[str, Any], look: str
) -> tuple[str, dict[str, Any], int, int, str]:
    return name, control["rate"], control["failing"], control["cases"], look


def _rate_row(
    name: str, rate: Mapping[str, Any], failing: int, cases: int, look: str, *, top: float
) -> Markup:
    if rate["value"] is None:
        return tag("div", tag("span", name, class_="name"), "no cases", class_="rate")
    low, high, value = (2 + 96 * rate[key] / top for key in ("low", "high", "value"))
    return tag(
        "div",
        tag("span", name, tag("small", f"{failing} of {cases}"), class_="name"),
        tag(
            "span",
            tag("span", class_="range", style=f"left:{low:.2f}%;width:{high - low:.2f}%"),
            tag("span", class_="point", style=f"left:{value:.2f}%"),
            class_="track",
            aria_hidden="true",
        ),
        tag(
            "span",
            tag("strong", f"{100 * rate['value']:.1f}%"),
            tag("small", f"{100 * rate['low']:.1f} to {100 * rate['high']:.1f}%"),
            class_="figure",
        ),
        class_=f"rate {look}",
    )


def _method_note(summary: Mapping[str, Any]) -> str:
    rate = summary["failure_rate"]
    note = (
        f"Dots are rates of hard failures, bars their {100 * rate['confidence']:.0f}% intervals "
        f"({rate['method']})."
    )
    if not summary["control"]["cases"]:
        return note
    told = f"Controls are {control_words(summary)}: their rate is the noise that every failure rate"
    return f"{note} {told} is read against."


def _tiles(summary: Mapping[str, Any]) -> Markup:
    units, seconds = summary["units"], summary["seconds"]
    facts = [
        (f"{units['done']}", f"of {units['total']} {unit_word(summary)} examined"),
        (f"{summary['questions']}", f"questions, {summary['cache_hits']} answered before"),
        (f"{summary['borderline_cases']}", "borderline cases, not counted"),
        (f"{summary['flaky_cases']}", "flaky cases, not counted"),
        (f"{seconds['total']:.1f} s", f"of which the subject {seconds['subject']:.1f} s"),
    ]
    if "inserted" in summary:
        gone = summary["inserted"]
        facts.insert(2, (f"{gone['missed']}", f"of {gone['cases']} inserted objects not found"))
    if summary.get("requirements"):
        struck = f"of {summary['test_cases']} cases with another answer than their scene"
        facts.insert(1, (f"{summary['failing_cases']}", struck))
    if "combinations" in summary:
        facts[1:1] = _accuracies(summary["combinations"]["interaction_accuracy"])
    return tag(
        "ul",
        [tag("li", tag("strong", value), tag("span", what)) for value, what in facts],
        class_="tiles",
    )


def _accuracies(found: Mapping[str, float | None]) -> list[tuple[str, str]]:
    words = {
        "mean": "of all pairs of labels are told rightly (mean interaction accuracy)",
        "restricted": "of the pairs with a label in the image",
    }
    return [
        (f"{100 * value:.1f}%", words[name]) for name, value in found.items() if value is not None
    ]


def controls(summary: Mapping[str, Any]) -> Markup | None:
    """Each kind of control with its rate, and by how much the cases fail more often."""
    if not summary["controls"]:
        return None
    rows = [
        [
            tag("span", name, tag("small", CONTROLS.get(name, ""))),
            f"{one['failing']} of {one['cases']}",
            figure(one["rate"], "{:.1f}%"),
            figure(one["difference"], "{:+.1f} points"),
        ]
        for name, one in summary["controls"].items()
    ]
    heads = ["control", "failing", "rate", "cases fail more often by"]
    words = control_words(summary)
    return section(
        "Controls",
        table(heads, rows, f"{words[0].upper()}{words[1:]}, with 95% intervals"),
        id="controls",
    )


CONTROLS = {
    "identity": "the same question again",
    "reencode": "the scene, compressed once more",
    "self-paste": "an object pasted on itself",
    "patch": "background pasted with the same edge: what the seam alone does",
    "zero": "an insertion of nothing, which changes neither sensor",
    "out-of-view": "something put behind the vehicle, where no camera sees it",
    "alone": "one object of a composition alone, where it is and as large",
}


def objects(summary: Mapping[str, Any], labels: Mapping[str, str]) -> Markup | None:
    """Each inserted object: how often it made others fail, and was not found itself."""
    found = summary.get("inserted")
    if found is None:
        return None
    rows = [
        [
            tag("span", labels.get(id, "object"), tag("small", id)),
            one["cases"],
            f"{one['failing']} ({100 * one['failing'] / one['cases']:.0f}%)",
            f"{one['missed']} ({100 * one['missed'] / one['cases']:.0f}%)",
        ]
        for id, one in found["objects"].items()
    ]
    heads = ["inserted object", "cases", "made others fail", "not found itself"]
    first, rest = rows[:SHOWN], rows[SHOWN:]
    return section(
        "Inserted objects",
        tag("p", f"Not found by the subject itself: {percent(found['rate'])}. Counted apart."),
        table(heads, first, "Inserted objects, the most harmful first"),
        tag(
            "details",
            tag("summary", f"{len(rest)} more"),
            table(heads, rest, "Further inserted objects"),
        )
        if rest
        else None,
        id="objects",
    )


def trouble(summary: Mapping[str, Any], skipped: Sequence[Sequence[str]]) -> Markup | None:
    """Scenes without a verdict, and why."""
    units = summary["units"]
    if not (summary["errors"] or units["left_out"] or skipped):
        return None
    rows = [
        [one["example"], one["count"], one["stage"], f"{one['kind']}: {one['message']}"]
        for one in summary["errors"]
    ]
    heads = ["such as", "scenes", "in", "error"]
    lines = []
    if units["left_out"]:
        lines.append(
            f"{units['left_out']} {unit_word(summary)} were not reached within the budget."
        )
    if skipped:
        lines.append(f"{len(skipped)} invalid items were left out:")
    return section(
        "Without a verdict",
        table(heads, rows, "Scenes that ended in an error") if rows else None,
        [tag("p", line) for line in lines],
        tag("ul", [tag("li", f"{where}: {why}") for where, why in skipped[:SHOWN]])
        if skipped
        else None,
        id="trouble",
    )
