"""The page of an explanation: each counterfactual question with its picture and answer."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from snellen.contract.explanation import UNEXPLAINED
from snellen.disk.atomic_file import write_atomically
from snellen.methods.kind import view_of
from snellen.pages.case_figure import CaseFigure, case_side, ladder, same_window, shows_scene
from snellen.pages.embedded_pictures import Album
from snellen.pages.gallery import WORDS_SCRIPT, Card, legend
from snellen.pages.html_page import html_page
from snellen.pages.markup import Markup, tag
from snellen.pages.page_section import Resource
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
    write_atomically(place / PAGE, text.encode(errors="backslashreplace"))
    return place / PAGE


def ladder_steps(
    explanation: RecordedExplanation, run: OpenedRun, journal: Journal, answers: Journal
) -> list[CaseFigure]:
    """The unchanged scene, the finding, and each rung, all with the same part of the scene."""
    finding, smallest = explanation.finding, explanation.smallest
    limit = BYTES // (len(explanation.rungs) + 1)
    first = _card(finding, run, journal, limit)
    rest = [_card(one.case, run, answers, limit) for one in explanation.rungs]
    first, *rest = same_window([first, *rest])
    steps = [CaseFigure("the finding", first, True, case_side(first), word="fails")]
    if shows_scene(first):
        steps.insert(0, CaseFigure("the unchanged scene", first, None, 0))
    return steps + [
        CaseFigure(
            one.name,
            card,
            one.persists,
            case_side(card),
            smallest is not None and smallest.number == one.case.number,
        )
        for one, card in zip(explanation.rungs, rest, strict=True)
    ]


def _card(finding: Finding, run: OpenedRun, journal: Journal, limit: int) -> Card:
    view = view_of(journal.get("method"))
    cards = view.card(Task(journal.get("subject")["task"]))
    return cards.rebuilt(run, journal, finding).drawn(answered(journal, finding, view)).card(limit)


def explanation_page(
    explanation: RecordedExplanation, steps: Sequence[CaseFigure], method: str
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
    body = tag("main", legend([one.card for one in steps]), ladder(steps, album))
    style = (
        f"{STYLE.text()}\n{''.join(one.text() for one in view_of(method).styles)}\n{album.css()}"
    )
    script = WORDS_SCRIPT.text()
    return html_page(f"{finding.id}, {found.cause}", head, body, style=style, script=script)


def _title(explanation: RecordedExplanation) -> tuple[Markup | str, ...]:
    found = explanation.cause
    if found.cause == UNEXPLAINED:
        return ("No cause was found",)
    word = f"{explanation.sure} cause: ".strip().capitalize()
    return f"{word} ", tag("em", found.cause)
