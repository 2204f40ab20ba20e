"""The scorecard on the terminal."""

from __future__ import annotations

from pathlib import Path

from rich.console import Console
from rich.markup import escape
from rich.padding import Padding

from snellen.exam.eye_chart import LETTERS, WORDS, letters_read
from snellen.exam.scorecard import PAGE, Scorecard, ScorecardRow, counted

INDENT = len(LETTERS) + 2


def print_scorecard(card: Scorecard, folder: Path) -> None:
    """Print a row a property: letters read, the figure, the verdict, and the next command."""
    console = Console(highlight=False)
    console.print(f"[bold]{escape(card.subject)}: {escape(card.headline)}[/]\n")
    for row in card.rows:
        console.print(_headline(row), soft_wrap=True)
        said = row.skipped_because or row.sentence
        if said:
            console.print(Padding(f"[dim]{escape(said)}[/]", (0, 0, 0, INDENT)))
        if row.command:
            console.print(f"{' ' * INDENT}Next: {escape(row.command)}", soft_wrap=True)
    console.print(f"Scorecard: [bold]{escape(str(folder / PAGE))}[/]", soft_wrap=True)


def _headline(row: ScorecardRow) -> str:
    read = 0 if row.value is None else letters_read(row.value)
    letters = f"{LETTERS[:read]}{'.' * (len(LETTERS) - read)}"
    status = WORDS.get(row.status, row.status)
    figure = "" if row.value is None else f" {row.figure()}"
    proven = f", {counted(row.proven, 'proven fault')}" if row.proven else ""
    return f"{letters}  [bold]{escape(row.property)}[/]{escape(figure)}: {escape(status)}{proven}"
