"""The HTML that a notebook shows for a value: a title, tables and small pictures."""

from __future__ import annotations

import base64
from collections.abc import Iterable, Sequence
from typing import Protocol

from snellen.pages.embedded_pictures import thumbnail
from snellen.pages.markup import Child, Markup, joined, tag
from snellen.store.findings import EventRow
from snellen.vision.arrays import Image

WIDTH = 900
"""Pixels of the widest picture."""


class Shown(Protocol):
    """A value that a notebook can show."""

    def _repr_html_(self) -> str: ...


def titled(title: str, *parts: str | Shown) -> Markup:
    """Parts below a title; text is escaped, markup and shown values are not."""
    head = tag("p", tag("b", title)) if title else None
    return tag("div", head, [_part(one) for one in parts])


def _part(part: str | Shown) -> Child:
    if isinstance(part, Markup):
        return part
    if isinstance(part, str):
        return tag("p", part) if part else None
    return Markup(part._repr_html_())


def table(names: Sequence[str], rows: Iterable[Sequence[Child]]) -> Markup:
    """A table with a header; empty without rows."""
    cells = [tag("tr", [tag("td", one) for one in row]) for row in rows]
    if not cells:
        return Markup("")
    head = tag("thead", tag("tr", [tag("th", one) for one in names]))
    return tag("table", head, tag("tbody", cells))


def event_rows(events: Iterable[EventRow]) -> Markup:
    """Events as a table, the hard ones first."""
    ordered = sorted(events, key=lambda one: (not one.hard, -one.margin))
    rows = [
        (
            one.kind,
            one.name if one.new_name is None else joined(one.name, " → ", one.new_name),
            f"{one.score_before:.2f} → {one.score_after:.2f}",
            f"{one.margin:.2f}",
            one.severity,
        )
        for one in ordered
    ]
    return table(("event", "class", "score", "margin", "severity"), rows)


def picture_markup(image: Image, width: int = WIDTH) -> Markup:
    """An image as an embedded JPEG, at most `width` pixels wide."""
    data = base64.b64encode(thumbnail(image, width)).decode()
    return tag(
        "img", src=f"data:image/jpeg;base64,{data}", alt="before and after", style="max-width:100%"
    )
