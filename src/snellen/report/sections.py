"""The sections with numbers: headline, controls, errors."""

from __future__ import annotations

from collections.abc import Sequence

from snellen.methods.kind import view_of
from snellen.pages.markup import Child, Markup, joined, tag
from snellen.pages.page_section import RateRow
from snellen.pages.tables import SHOWN, figure, section, table
from snellen.report.verdict.fault_words import fault_example
from snellen.report.words import title, verdict_of
from snellen.store.summary import ControlRate, Summary


def headline(summary: Summary) -> Markup:
    """The headline: the verdict, the rates, a few numbers."""
    rows = _rate_rows(summary)
    top = max([row.rate.high for row in rows if row.rate.value is not None], default=1.0)
    rates = [
        tag("div", [_rate_row(row, top) for row in rows], class_="rates"),
        tag("p", _method_note(summary), class_="facts"),
    ]
    return joined(_verdict(summary), rates if rows else None, _tiles(summary))


def _verdict(summary: Summary) -> Markup:
    """The warning, the facts that the title lacks, and the rate, a paragraph each."""
    found, own = verdict_of(summary), view_of(summary.method).page_title(summary)
    facts = fault_example(summary) if own is None and title(summary).counts else found.facts
    rate = " ".join(filter(None, (found.rate, found.outlook)))
    return joined(
        tag("p", found.warning, class_="verdict warning") if found.warning else None,
        [tag("p", text, class_="verdict") for text in (facts, rate) if text],
    )


def _rate_rows(summary: Summary) -> list[RateRow]:
    """The rates of cases and of controls; empty where the method has none."""
    view, control = view_of(summary.method), summary.control
    own = view.rate_rows(summary)
    if own is None:
        own = [RateRow("cases", summary.failure_rate, summary.failing_cases, summary.test_cases)]
    if not own:
        return []
    shown = {"controls": control} if control.cases else {}
    bars = [name for name in view.control_bars if {name} < set(summary.controls)]
    shown |= {f"{name} controls": summary.controls[name] for name in bars}
    return [*own, *(_control_row(name, one) for name, one in shown.items())]


def _control_row(name: str, control: ControlRate) -> RateRow:
    return RateRow(name, control.rate, control.failing, control.cases, "noise")


def _rate_row(row: RateRow, top: float) -> Markup:
    rate = row.rate
    if rate.value is None:
        return tag("div", tag("span", row.name, class_="name"), "no cases", class_="rate")
    low, high, value = (2 + 96 * one / top for one in (rate.low, rate.high, rate.value))
    return tag(
        "div",
        tag("span", row.name, tag("small", f"{row.failing} of {row.cases}"), class_="name"),
        tag(
            "span",
            tag("span", class_="range", style=f"left:{low:.2f}%;width:{high - low:.2f}%"),
            tag("span", class_="point", style=f"left:{value:.2f}%"),
            class_="track",
            aria_hidden="true",
        ),
        tag(
            "span",
            tag("strong", f"{100 * rate.value:.1f}%"),
            tag("small", f"{100 * rate.low:.1f} to {100 * rate.high:.1f}%"),
            class_="figure",
        ),
        class_=f"rate {row.look}",
    )


def _method_note(summary: Summary) -> str:
    rate = summary.failure_rate
    note = (
        f"Dots are rates of hard failures, bars their {100 * rate.confidence:.0f}% intervals "
        f"({rate.method})."
    )
    if not summary.control.cases:
        return note
    controls = view_of(summary.method).words.controls
    return (
        f"{note} Controls are {controls}: their rate is the noise that the failure rate is "
        "compared with."
    )


def _tiles(summary: Summary) -> Markup:
    view, units, seconds = view_of(summary.method), summary.units, summary.seconds
    facts = [
        (f"{units.tested}", f"of {units.total} {view.words.units} examined{units.untested_words}"),
        (f"{summary.questions}", f"questions, {summary.cache_hits} from the cache"),
        (f"{summary.borderline_cases}", "borderline cases, not counted"),
        (f"{summary.flaky_cases}", "flaky cases, not counted"),
        *(
            [(f"{summary.unconfirmed_cases}", "failures not asked again, not counted")]
            if summary.unconfirmed_cases
            else []
        ),
        (f"{seconds.total:.1f} s", f"of which the subject {seconds.subject:.1f} s"),
    ]
    for value, what, place in reversed(view.tiles(summary)):
        facts.insert(place, (value, what))
    return tag(
        "ul",
        [tag("li", tag("strong", value), tag("span", what)) for value, what in facts],
        class_="tiles",
    )


def controls(summary: Summary) -> Markup | None:
    """Each kind of control with its rate and the excess of the cases, and the checks."""
    tables = [_controls(summary), _checks(summary)]
    return section("Controls", tables, id="controls") if any(tables) else None


def _checks(summary: Summary) -> Markup | None:
    """Each kind of check of the tool."""
    if not summary.checks:
        return None
    words = view_of(summary.method).words.control_kinds
    rows: list[list[Child]] = [
        [tag("span", name, tag("small", words.get(name, ""))), one.cases, one.failing, one.flaky]
        for name, one in summary.checks.items()
    ]
    caption = "Checks of the tool, which can't fail with a deterministic subject"
    return table(["check", "cases", "failing", "flaky"], rows, caption)


def _controls(summary: Summary) -> Markup | None:
    if not summary.controls:
        return None
    words = view_of(summary.method).words
    rows = [
        [
            tag("span", name, tag("small", words.control_kinds.get(name, ""))),
            f"{one.failing} of {one.cases}",
            figure(one.rate, "{:.1f}%"),
            figure(one.difference, "{:+.1f} points"),
        ]
        for name, one in summary.controls.items()
    ]
    heads = ["control", "failing", "rate", "cases fail more often by"]
    caption = f"{words.controls[0].upper()}{words.controls[1:]}, with 95% intervals"
    return table(heads, rows, caption)


def trouble(summary: Summary, skipped: Sequence[Sequence[str]]) -> Markup | None:
    """Scenes without a verdict, and why; skipped: place and reason of each invalid item."""
    units = summary.units
    if not (summary.errors or units.left_out or skipped):
        return None
    rows: list[list[Child]] = [
        [one.example, one.count, one.stage, f"{one.kind}: {one.message}"] for one in summary.errors
    ]
    heads = ["example", "scenes", "stage", "error"]
    lines = []
    if units.left_out:
        name = view_of(summary.method).words.units
        lines.append(f"{units.left_out} {name} were not reached within the budget.")
    if skipped:
        lines.append(f"{len(skipped)} invalid items were skipped:")
    return section(
        "Without a verdict",
        table(heads, rows, "Scenes that ended in an error") if rows else None,
        [tag("p", line) for line in lines],
        tag("ul", [tag("li", f"{where}: {why}") for where, why in skipped[:SHOWN]])
        if skipped
        else None,
        id="trouble",
    )
