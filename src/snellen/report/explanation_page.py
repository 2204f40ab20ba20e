"""The page of an explanation: each counterfactual question with its picture and answer."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from snellen.contract.explanation import UNEXPLAINED
from snellen.disk.atomic_file import write_atomically
from snellen.methods.kind import view_of
from snellen.pages.embedded_pictures import Album
from snellen.pages.focus import focus
from snellen.pages.gallery import Card, legend, side_picture
from snellen.pages.html_page import html_page
from snellen.pages.marks import Sides
from snellen.pages.markup import Markup, tag
from snellen.pages.page_section import Resource
from snellen.pages.solids.solid_words import happened
from snellen.report.picture_source import answered
from snellen.store.explanations import RecordedExplanation
from snellen.store.findings import Finding
from snellen.store.journal import Journal
from snellen.store.opened_run import OpenedRun
from snellen.subjects.subject import Task

PAGE = "explanation.html"
STYLE = Resource("snellen.pages", "page.css")
BYTES = 3_000_000
"""Of all pictures together; Base64 adds a third."""
HOLDS = "holds"


@dataclass(frozen=True, eq=False)
class LadderStep:
    """One picture of the page.

    fails: None for the unchanged scene; word: what is said if it fails. side: the picture shown.
    """

    name: str
    card: Card
    fails: bool | None
    side: int
    smallest: bool = False
    word: str = "still fails"


def write_page(
    place: Path,
    explanation: RecordedExplanation,
    run: OpenedRun,
    journal: Journal,
    answers: Journal,
) -> Path:
    """Write the page into a folder; its path. answers: the journal with the rungs' cases."""
    steps = ladder_steps(explanation, run, journal, answers)
    text = explanation_page(explanation, steps, journal.get("method"))
    write_atomically(place / PAGE, text.encode())
    return place / PAGE


def ladder_steps(
    explanation: RecordedExplanation, run: OpenedRun, journal: Journal, answers: Journal
) -> list[LadderStep]:
    """The unchanged scene, the finding, and each rung, all with the same part of the scene."""
    finding, smallest = explanation.finding, explanation.smallest
    limit = BYTES // (len(explanation.rungs) + 1)
    first = _card(finding, run, journal, limit)
    rest = [_card(one.case, run, answers, limit) for one in explanation.rungs]
    first, *rest = _same_window([first, *rest])
    steps = [LadderStep("the finding", first, True, _shown(first), word="fails")]
    if not first.whole and len(first.sides) > 1:
        steps.insert(0, LadderStep("the unchanged scene", first, None, 0))
    return steps + [
        LadderStep(
            one.name,
            card,
            one.persists,
            _shown(card),
            smallest is not None and smallest.number == one.case.number,
        )
        for one, card in zip(explanation.rungs, rest, strict=True)
    ]


def _card(finding: Finding, run: OpenedRun, journal: Journal, limit: int) -> Card:
    view = view_of(journal.get("method"))
    cards = view.card(Task(journal.get("subject")["task"]))
    return cards.rebuilt(run, journal, finding).drawn(answered(journal, finding, view)).card(limit)


def _shown(card: Card) -> int:
    """The picture of the case itself."""
    return 0 if card.whole else len(card.sides) - 1


def _same_window(cards: Sequence[Card]) -> list[Card]:
    """The cards with one window around the marks of all."""
    marks = Sides(
        tuple(mark for card in cards for mark in card.marks.before),
        tuple(mark for card in cards for mark in card.marks.after),
        any(card.marks.moved for card in cards),
    )
    return [replace(card, window=focus(marks, card.size)) for card in cards]


def explanation_page(
    explanation: RecordedExplanation, steps: Sequence[LadderStep], method: str
) -> str:
    """The text of the page, which loads nothing."""
    album, finding, found = Album(), explanation.finding, explanation.cause
    head = tag(
        "header",
        tag(
            "p",
            tag("b", "Snellen"),
            f" · {method} · {finding.scene} · {finding.id}",
            class_="facts",
        ),
        tag("h1", *_title(explanation)),
        tag("p", found.says, class_="verdict") if found.says else None,
    )
    ladder = tag("div", [_figure(one, album) for one in steps], class_="ladder")
    body = tag("main", legend([one.card for one in steps]), ladder)
    style = (
        f"{STYLE.text()}\n{''.join(one.text() for one in view_of(method).styles)}\n{album.css()}"
    )
    return html_page(f"{finding.id}, {found.cause}", head, body, style=style)


def _title(explanation: RecordedExplanation) -> tuple[Markup | str, ...]:
    found = explanation.cause
    if found.cause == UNEXPLAINED:
        return ("No cause was found",)
    word = f"{explanation.sure} cause: ".strip().capitalize()
    return f"{word} ", tag("em", found.cause)


def _figure(step: LadderStep, album: Album) -> Markup:
    """A picture with the question above it and the answer below."""
    lines = [] if step.fails is None else happened(step.card.finding)
    badge = None
    if step.fails is not None:
        look, word = ("persists", step.word) if step.fails else ("holds", HOLDS)
        badge = tag("span", word, class_=f"badge {look}")
    least = tag("span", "smallest", class_="badge") if step.smallest else None
    return tag(
        "figure",
        tag("figcaption", tag("b", step.name), " ", badge, " ", least),
        side_picture(step.card, step.side, album),
        tag("ul", [tag("li", line) for line in lines], class_="what"),
        class_="rung",
    )
