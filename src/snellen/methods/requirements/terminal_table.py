"""Requirements on a terminal: each with its verdict, its loss and its sentence."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from rich.markup import escape
from rich.table import Table

from snellen.methods.requirements.words import loss_words

COLOURS = {"violated": "red", "undecided": "yellow", "satisfied": "green"}
"""In the order in which they are told."""


def requirement_table(requirements: Sequence[Mapping[str, Any]]) -> Table:
    """The requirements, violated ones first."""
    table = Table(box=None, padding=(0, 2, 0, 0), show_edge=False)
    table.add_column("verdict", no_wrap=True)
    table.add_column("requirement", overflow="fold")
    order = list(COLOURS)
    for one in sorted(requirements, key=lambda each: order.index(each["status"])):
        status = one["status"]
        lines = [f"[bold]{escape(one['name'])}[/]"]
        if one["value"] is not None:
            lines.append(f"loses {loss_words(one)}, {100 * one['margin']:g} tolerated")
        lines.append(f"[dim]{escape(one['says'])}[/]")
        table.add_row(f"[{COLOURS[status]}]{status}[/]", "\n".join(lines))
    return table
