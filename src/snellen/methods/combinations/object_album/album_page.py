"""A page of objects by label, to exclude bad ones; one file, no server."""

from __future__ import annotations

import json
import os
from collections import defaultdict
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

from snellen.methods.combinations.object_album.thumbnail import thumbnail_image
from snellen.objects.library.exclusion_file import exclusion_line
from snellen.objects.library.library import Entry, Library
from snellen.pages.html_page import html_page, resource
from snellen.pages.markup import Markup, tag

SIDES = ((800, 144), (2500, 112), (6000, 80))
"""Maximum objects on a page, and the longer side of their pictures in pixels."""
SMALLEST = 56
FILE = "struck-out.txt"
FILTERS = {"all": "all", "used": "used", "rejected": "rejected", "struck": "struck out"}
GROUNDS = {"white": "on white", "chequered": "on a checkerboard", "black": "on black"}


@dataclass(frozen=True)
class AlbumCard:
    """An object on the page. why: the reason it is not used, or "". struck: already excluded."""

    entry: Entry
    why: str = ""
    struck: bool = False


@dataclass(frozen=True)
class AlbumCaption:
    """The page's heading.

    lead: the line under the title. note: a warning, or "". file: the name of the exclusion file.
    others: lines of the exclusion file for objects that are not on the page.
    """

    title: str
    lead: str = ""
    note: str = ""
    others: Sequence[str] = ()
    file: str = FILE


def album(library: Library, cards: Sequence[AlbumCard], caption: AlbumCaption) -> str:
    """The page as HTML. It fetches nothing and runs no script but its own."""
    by_label: dict[str, list[AlbumCard]] = defaultdict(list)
    for card in cards:
        by_label[card.entry.label].append(card)
    labels = {label: by_label[label] for label in sorted(by_label)}
    side = next((side for most, side in SIDES if len(cards) <= most), SMALLEST)
    pictures = _pictures(library, side, cards)
    style = resource("snellen.pages", "page.css") + resource(__package__, "album.css")
    return html_page(
        caption.title,
        _header(caption),
        _toolbar(labels),
        tag("main", _hint(caption.file), _sections(labels, pictures), _exclusion_list()),
        style=f"{style}:root {{ --cell: {side + 12}px; }}",
        script=resource(__package__, "album.js"),
        data_others=json.dumps(list(caption.others)),
        data_file=caption.file,
    )


def _pictures(library: Library, side: int, cards: Sequence[AlbumCard]) -> dict[str, Markup]:
    """The thumbnail of each object by its id."""
    ids = list(dict.fromkeys(card.entry.id for card in cards))
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        drawn = pool.map(lambda id: thumbnail_image(library.cutout(id).pixels, side), ids)
        return dict(zip(ids, drawn, strict=True))


def _header(caption: AlbumCaption) -> list[Markup]:
    script = "Striking out needs JavaScript. Write the ids into a file by hand instead."
    return [
        tag(
            "header",
            tag("p", tag("b", "Snellen"), " · objects", class_="facts"),
            tag("h1", caption.title),
            tag("p", caption.lead),
            tag("p", caption.note, class_="note") if caption.note else None,
        ),
        tag("noscript", tag("p", script, class_="note")),
    ]


def _toolbar(labels: Mapping[str, Sequence[AlbumCard]]) -> Markup:
    filters = [
        _button(word, data_show=name, aria_pressed="true" if name == "all" else "false")
        for name, word in FILTERS.items()
    ]
    places = [
        tag("option", f"{label} ({len(cards)})", value=f"label-{n}")
        for n, (label, cards) in enumerate(labels.items())
    ]
    grounds = [tag("option", word, value=name) for name, word in GROUNDS.items()]
    first = tag("option", "go to label", value="")
    return tag(
        "div",
        tag("output", id="count", aria_live="polite"),
        tag("span", filters, class_="chips"),
        tag("select", first, places, id="jump", aria_label="Go to a label"),
        tag("select", grounds, id="ground", aria_label="Background of the objects"),
        tag(
            "span",
            _button("Copy list", id="copy"),
            _button("Download list", id="download", class_="main"),
            class_="file",
        ),
        class_="toolbar",
        role="toolbar",
        aria_label="Filters and the exclusion file",
    )


def _button(word: str, **attributes: str) -> Markup:
    return tag("button", word, type="button", **attributes)


def _hint(file: str) -> Markup:
    return tag(
        "p",
        "Select an object to strike it out; select it again to keep it. With the keyboard, use the "
        "arrow keys to move and Enter or Space to strike out. Then download the list, put it next "
        "to your configuration and name it there: ",
        tag("code", f"objects: {{…, exclude: {file}}}"),
        ".",
        class_="hint",
    )


def _sections(
    labels: Mapping[str, Sequence[AlbumCard]], pictures: Mapping[str, Markup]
) -> list[Markup]:
    return [
        tag(
            "section",
            tag("h2", f"{label} ", tag("small")),
            tag(
                "div",
                (
                    _card(card, pictures[card.entry.id])
                    for card in sorted(cards, key=lambda card: bool(card.why))
                ),
                class_="objects",
            ),
            id=f"label-{n}",
        )
        for n, (label, cards) in enumerate(labels.items())
    ]


def _card(card: AlbumCard, picture: Markup) -> Markup:
    entry = card.entry
    source = f", from {entry.origin}" if entry.origin else ""
    facts = f"{entry.width} × {entry.height} pixels{source}"
    unused = f", not used: {card.why}" if card.why else ""
    return tag(
        "button",
        tag("span", picture, class_="ground"),
        tag("span", card.why, class_="why") if card.why else None,
        type="button",
        class_="object rejected" if card.why else "object",
        aria_pressed=str(card.struck).lower(),
        aria_label=f"{entry.label}, {facts}{unused}",
        title=f"{facts} · {entry.id}",
        data_line=exclusion_line(entry),
    )


def _exclusion_list() -> list[Markup]:
    return [
        tag("p", "No object matches.", id="nothing", hidden=True),
        tag(
            "details",
            tag("summary", "The exclusion file"),
            tag(
                "textarea",
                id="text",
                readonly=True,
                rows=8,
                aria_label="The exclusion file",
                spellcheck="false",
            ),
            id="list",
        ),
    ]
