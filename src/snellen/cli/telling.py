"""How work on one thing after another shows itself on standard error."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TypeAlias

Progress: TypeAlias = Callable[[int, int], None]
"""Told how many are done, of how many."""


@contextmanager
def progress_counter(what: str) -> Iterator[Progress]:
    """A bar on a terminal, a plain line every few seconds elsewhere."""
    from snellen.cli.terminal_progress import progress_display

    with progress_display("") as shown:
        yield lambda done, total: shown.show(f"{what}: {done} of {total}", done, total)
