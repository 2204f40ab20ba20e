"""How work on one thing after another shows itself on standard error."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TypeAlias

import typer

SECONDS_BETWEEN_LINES = 5.0
Progress: TypeAlias = Callable[[int, int], None]
"""Told how many are done, of how many."""


@contextmanager
def told(what: str) -> Iterator[Progress]:
    """A bar on a terminal, a plain line every few seconds elsewhere."""
    if not sys.stderr.isatty():
        yield _lines(what)
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeRemainingColumn
    from rich.progress import Progress as Bars

    columns = (TextColumn(what), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Bars(*columns, console=Console(stderr=True)) as bars:
        task = bars.add_task("", total=None)
        yield lambda done, total: bars.update(task, completed=done, total=total)


def _lines(what: str) -> Progress:
    latest = time.monotonic()

    def tell(done: int, total: int) -> None:
        nonlocal latest
        if time.monotonic() - latest >= SECONDS_BETWEEN_LINES:
            latest = time.monotonic()
            typer.echo(f"{what}: {done} of {total}", err=True)

    return tell
