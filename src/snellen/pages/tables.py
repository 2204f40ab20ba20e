"""Sections and tables of a page, and numbers in their cells."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from snellen.pages.markup import Child, Markup, joined, tag
from snellen.store.estimate import Estimate, estimate

SHOWN = 10
"""Rows of a long table before the rest is collapsed."""


def section(title: str, *children: Child, id: str) -> Markup:
    """A part of the page with a heading."""
    return tag("section", tag("h2", title, id=f"{id}-title"), *children, id=id)


def table(
    heads: Sequence[str], rows: Sequence[Sequence[Child]], caption: str, *, stacked: bool = False
) -> Markup:
    """A table that scrolls on a narrow page; the first column names the row.

    stacked: on a narrow page each row becomes a list of its cells with their headings instead.
    """
    body = [
        tag("tr", tag("th", row[0], scope="row"), _cells(row, heads if stacked else None))
        for row in rows
    ]
    head = tag("tr", [tag("th", name, scope="col") for name in heads])
    look = "numbers stacked" if stacked else "numbers"
    whole = tag(
        "table", tag("caption", caption), tag("thead", head), tag("tbody", body), class_=look
    )
    return tag("div", whole, class_="scroll", tabindex=0, role="region", aria_label=caption)


def _cells(row: Sequence[Child], heads: Sequence[str] | None) -> list[Markup]:
    if heads is None:
        return [tag("td", cell) for cell in row[1:]]
    pairs = zip(row[1:], heads[1:], strict=True)
    return [tag("td", cell, data_head=head) for cell, head in pairs]


def figure(share: Estimate | Mapping[str, Any], form: str) -> Markup | None:
    """A share with its interval below; form: the format of 100 times it, such as `{:.1f}%`."""
    rate = estimate(share)
    if rate.value is None:
        return None
    low, high = (form.format(100 * one) for one in (rate.low, rate.high))
    return joined(form.format(100 * rate.value), tag("small", f"{low.split()[0]} to {high}"))
