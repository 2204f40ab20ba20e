"""The scorecard as a page: an eye chart, a row a property."""

from __future__ import annotations

import base64
import math
from pathlib import Path

from snellen.errors import UserError
from snellen.exam.scorecard import Scorecard, ScorecardRow, counted
from snellen.pages.embedded_pictures import thumbnail
from snellen.pages.html_page import html_page, resource
from snellen.pages.markup import Child, Markup, joined, tag
from snellen.scenes.pictures import read_picture

LETTERS = "CDHKNORSVZ"
"""Sloan's letters, of equal legibility: one for each tenth of what the subject may read."""
SHRINKS = 0.84
SMALLEST = 0.4
WIDTH = 960
WORDS = {
    "failures": "fails",
    "no-more-than-controls": "fails no more often than controls",
    "undecided": "undecided",
    "none": "no failure",
    "flaky": "answers differ",
    "measured": "measured",
    "skipped": "not examined",
    "error": "could not be examined",
}


def eye_chart(card: Scorecard, folder: Path | None) -> str:
    """The page. folder: where pictures are read from; None for a page without any."""
    rows = [_row(row, number, folder) for number, row in enumerate(card.rows)]
    style = resource("snellen.pages", "page.css") + resource("snellen.exam", "eye_chart.css")
    return html_page(
        f"scorecard of {card.subject}",
        tag(
            "header",
            tag("p", f"Snellen {card.snellen_version}: exam, seed {card.seed}", class_="facts"),
            tag("h1", "How far does ", tag("em", card.subject), " read?"),
            tag("p", card.headline, class_="verdict"),
            tag(
                "p",
                f"Examined on {card.scenes} scenes. Each row is a property. Ten letters are all "
                "there is to read: letters in ink are read, hollow ones are not. Only complete "
                "tenths count. Intervals are 95%.",
                class_="facts",
            ),
        ),
        tag(
            "main",
            tag("ol", rows, class_="chart"),
            tag("h2", "What was examined"),
            tag("ul", [tag("li", one) for one in card.took]),
        ),
        style=style,
    )


def letters_read(value: float) -> int:
    """Complete tenths: nothing short of 1 shows all letters.

    >>> letters_read(1.0), letters_read(0.999), letters_read(0.3)
    (10, 9, 3)
    """
    return min(len(LETTERS), math.floor(round(value * len(LETTERS), 9)))


def _row(row: ScorecardRow, number: int, folder: Path | None) -> Markup:
    size = max(SMALLEST, SHRINKS**number)
    return tag(
        "li",
        _letters(row, number),
        tag(
            "div",
            tag("h2", row.property),
            tag(
                "p",
                tag("strong", row.figure()),
                f" {row.words}" if row.words else None,
                tag("span", counted(row.proven, "proven fault"), class_="status failures")
                if row.proven
                else None,
                tag("span", WORDS.get(row.status, row.status), class_=f"status {row.status}"),
                class_="figure",
            ),
            tag("p", row.skipped_because or row.sentence),
            _fault(row, folder),
            tag("p", tag("code", row.command), class_="deeper") if row.command else None,
            class_="reading",
        ),
        style=f"--size:{size:.3f}",
        class_="unread" if row.value is None else None,
    )


def _letters(row: ScorecardRow, number: int) -> Markup:
    """The optotypes of a row, in another order for each row."""
    shown = [LETTERS[(7 * place + 3 * number) % len(LETTERS)] for place in range(len(LETTERS))]
    read = 0 if row.value is None else letters_read(row.value)
    spoken = "not read" if row.value is None else f"{read} of {len(LETTERS)} letters read"
    marked: list[Child] = [
        tag("span", letter, class_=None if place < read else "missed")
        for place, letter in enumerate(shown)
    ]
    return joined(
        tag("div", marked, class_="letters", role="img", aria_label=f"{row.property}: {spoken}")
    )


def _fault(row: ScorecardRow, folder: Path | None) -> Markup | None:
    if not row.fault:
        return None
    return tag("figure", _picture(row, folder), tag("figcaption", row.fault))


def _picture(row: ScorecardRow, folder: Path | None) -> Markup | None:
    if folder is None or not row.picture:
        return None
    try:
        image = read_picture(folder / row.picture)
    except UserError:
        return None
    data = base64.b64encode(thumbnail(image, WIDTH)).decode()
    return tag("img", src=f"data:image/jpeg;base64,{data}", alt=f"Before and after: {row.fault}")
