"""Parts of a reference page in Markdown."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

NOTE = (
    "*This page is generated from the code; to change it, change the code and run "
    "`python -m documentation.reference`.*"
)


def table(heads: Sequence[str], rows: Iterable[Sequence[str]]) -> list[str]:
    """The lines of a table.

    >>> table(["a"], [["x  y"]])
    ['| a |', '| --- |', '| x y |', '']
    """
    lines = [heads, ["---"] * len(heads), *([_cell(text) for text in row] for row in rows)]
    return [*(f"| {' | '.join(line)} |" for line in lines), ""]


def _cell(text: str) -> str:
    return " ".join(text.replace("|", r"\|").split())


def page(title: str, lines: Iterable[str]) -> str:
    """The text of a page, which ends with the note that it is generated."""
    body = "\n".join([f"# {title}", "", *lines]).rstrip()
    return f"{body}\n\n---\n\n{NOTE}\n"
