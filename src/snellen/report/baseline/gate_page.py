"""`gate.html`: what got worse against a baseline, with pictures of new faults."""

from __future__ import annotations

from collections.abc import Sequence

from snellen.methods.kind import view_of
from snellen.pages.case_figure import ladder
from snellen.pages.embedded_pictures import Album
from snellen.pages.gallery import WORDS_SCRIPT, legend
from snellen.pages.html_page import html_page
from snellen.pages.markup import Child, Markup, code_block, joined, tag
from snellen.pages.page_section import Resource
from snellen.pages.tables import section, table
from snellen.report.baseline import gate_words as words
from snellen.report.baseline.baseline_gate import BaselineGate
from snellen.report.baseline.fault_pictures import PicturedFault
from snellen.report.baseline.gated_number import ChangeStatus, GatedNumber
from snellen.report.comparison.words import fault_words
from snellen.store.faults import Fault

STYLE = Resource("snellen.pages", "page.css")
LISTED = 30
"""Faults that are listed without a picture."""


def gate_page(gate: BaselineGate, pictured: Sequence[PicturedFault]) -> str:
    """The text of the page, which loads nothing."""
    album, found = Album(), gate.comparison
    body = tag(
        "main",
        _lead(gate),
        section("What changed", _changes(gate), _table(gate), id="numbers"),
        _faults(gate, pictured, album),
        _list("Fixed faults", found.faults.fixed, "fixed"),
        _how(gate),
    )
    own = "".join(one.text() for one in view_of(found.method).styles)
    style = f"{STYLE.text()}\n{own}\n{album.css()}"
    title = f"gate of {found.subjects[1].name}"
    return html_page(title, _head(gate), body, style=style, script=WORDS_SCRIPT.text())


def _head(gate: BaselineGate) -> Markup:
    found = gate.comparison
    facts = f" · gate · {found.method} · {found.scenes} scenes in common"
    return tag(
        "header",
        tag("p", tag("b", "Snellen"), facts, class_="facts"),
        tag("h1", *_title(gate)),
    )


def _title(gate: BaselineGate) -> tuple[Markup | str, ...]:
    name, stressed = gate.comparison.subjects[1].name, words.headline(gate)
    return f"{name}: ", tag("em", stressed)


def _lead(gate: BaselineGate) -> Markup:
    a, b = gate.comparison.subjects
    who = [f"{word}: {one.name}, {one.folder}" for word, one in (("baseline", a), ("new", b))]
    return joined(
        [tag("p", one, class_="verdict warning") for one in gate.missing],
        tag("p", f"Gate {words.verdict(gate)}.", class_="verdict"),
        [tag("p", line, class_="facts") for line in who],
        [tag("p", f"{line}.", class_="facts") for line in words.notes(gate)],
    )


def _changes(gate: BaselineGate) -> Markup | None:
    """Each number as a bar: how much worse, between its bounds, against the margin."""
    known = [one for one in words.worst_first(gate) if one.known]
    ends = [end for one in known for end in (one.worse_by.low, one.worse_by.high)]
    low, high = min([*ends, 0.0], default=0.0), max([*ends, gate.rules.margin], default=0.0)
    pad = 0.04 * (high - low) or 0.01
    bars = [_bar(one, low - pad, high + pad) for one in known]
    note = (
        "Dots are changes of the new subject against the baseline, to the right worse; bars reach "
        "from the lower to the upper one-sided 95% bound. The faint line is no change, the "
        "strong one the margin."
    )
    return joined(tag("div", bars, class_="rates"), tag("p", note, class_="facts"))


def _bar(one: GatedNumber, low: float, high: float) -> Markup:
    def place(value: float) -> str:
        return f"{100 * (value - low) / (high - low):.2f}%"

    found = one.worse_by
    width = f"{100 * (found.high - found.low) / (high - low):.2f}%"
    look = "tested" if one.status is ChangeStatus.WORSE else "noise"
    return tag(
        "div",
        tag("span", one.number.name, class_="name"),
        tag(
            "span",
            tag("span", class_="limit", style=f"left:{place(0.0)}"),
            tag("span", class_="limit margin", style=f"left:{place(one.margin)}"),
            tag("span", class_="range", style=f"left:{place(found.low)};width:{width}"),
            tag("span", class_="point", style=f"left:{place(found.value)}"),
            class_="track",
            aria_hidden="true",
        ),
        tag(
            "span",
            tag("strong", one.status.value),
            tag("small", words.signed_points(found.value)),
            class_="figure",
        ),
        class_=f"rate {look}",
    )


def _table(gate: BaselineGate) -> Markup:
    rows: list[list[Child]] = [
        [one.number.name, one.status.value, words.says(one)] for one in words.worst_first(gate)
    ]
    caption = "Gated numbers, baseline to new, worst verdict first"
    return table(["number", "verdict", "found"], rows, caption, stacked=True)


def _faults(gate: BaselineGate, pictured: Sequence[PicturedFault], album: Album) -> Markup | None:
    """New faults with the answers of both subjects; those without a picture are listed."""
    if not gate.faults:
        return None
    shown = {id(one.fault) for one in pictured}
    rest = [one for one in gate.faults if id(one) not in shown]
    items = [tag("li", words.new_fault_words(one)) for one in rest[:LISTED]]
    further = f"{len(rest)} further new fault{'' if len(rest) == 1 else 's'}"
    cards = [figure.card for one in pictured for figure in one.figures]
    return section(
        "New faults",
        tag("p", words.fault_rule(gate)),
        legend(cards) if cards else None,
        [_fault(one, album) for one in pictured],
        tag("details", tag("summary", further), tag("ul", items)) if rest else None,
        id="faults",
    )


def _fault(one: PicturedFault, album: Album) -> Markup:
    asked = None
    if one.fault.held is None:
        asked = tag("p", "This case was not put to the baseline's subject.", class_="facts")
    return tag(
        "article",
        tag("h3", words.new_fault_words(one.fault)),
        tag("p", one.fault.fault.says) if one.fault.fault.says else None,
        asked,
        ladder(one.figures, album, small=True),
        class_="new-fault",
    )


def _list(title: str, faults: Sequence[Fault], id: str) -> Markup | None:
    if not faults:
        return None
    items = [tag("li", fault_words(one)) for one in faults[:LISTED]]
    rest = len(faults) - LISTED
    more = tag("p", f"and {rest} more", class_="facts") if rest > 0 else None
    return section(f"{title} ({len(faults)})", tag("ul", items), more, id=id)


def _how(gate: BaselineGate) -> Markup:
    a, b = gate.comparison.subjects
    command = f"snellen gate {b.folder} --against {a.folder} --margin {gate.rules.margin:g}"
    return section(
        "How it was decided",
        tag("p", f"{words.multiplicity(gate)}."),
        tag("p", words.RULE),
        code_block(command),
        id="how",
    )
