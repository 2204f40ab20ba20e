"""How a run in progress shows itself: a bar on a terminal, plain lines elsewhere."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager

from rich.console import Console
from rich.progress import (
    BarColumn,
    Progress,
    SpinnerColumn,
    TaskID,
    TextColumn,
    TimeRemainingColumn,
)

from snellen.engine.campaign import Campaign
from snellen.engine.progress import Tally, Watcher
from snellen.store.journal import UnitEnd

SECONDS_BETWEEN_LINES = 5.0


class Bar:
    """A live bar with scenes, rate, findings so far and time left."""

    def __init__(self, progress: Progress, task: TaskID) -> None:
        self._progress, self._task = progress, task
        self._start = time.monotonic()

    def update(self, tally: Tally, end: UnitEnd | None) -> None:
        """Redraw."""
        rate = tally.questions / max(1e-9, time.monotonic() - self._start)
        self._progress.update(
            self._task,
            total=tally.units,
            completed=tally.ended,
            scenes=f"{tally.ended}/{tally.units} scenes",
            facts=_facts(tally),
            rate=f"{rate:.1f}/s",
        )

    def preparing(self, what: str, done: int, total: int) -> None:
        """Show how far a preparation is."""
        facts = what if done < total else "starting"
        scenes = f"{done}/{total}"
        self._progress.update(self._task, total=total, completed=done, scenes=scenes, facts=facts)


class Lines:
    """One plain line every few seconds."""

    def __init__(self) -> None:
        self._start = time.monotonic()
        self._next = self._start + SECONDS_BETWEEN_LINES

    def update(self, tally: Tally, end: UnitEnd | None) -> None:
        """Print a line if it is time for one."""
        rate = tally.questions / max(1e-9, time.monotonic() - self._start)
        self._say(f"{tally.ended}/{tally.units} scenes, {rate:.1f} questions/s, {_facts(tally)}")

    def preparing(self, what: str, done: int, total: int) -> None:
        """Print a line if it is time for one."""
        self._say(f"{what}: {done}/{total}")

    def _say(self, line: str) -> None:
        now = time.monotonic()
        if now >= self._next:
            self._next = now + SECONDS_BETWEEN_LINES
            print(line, file=sys.stderr, flush=True)


def _facts(tally: Tally) -> str:
    errors = f", {tally.errors} errors" if tally.errors else ""
    return f"{tally.failing} failing of {tally.cases} cases{errors}"


@contextmanager
def watching(campaign: Campaign) -> Iterator[Watcher]:
    """A watcher that suits where standard error goes."""
    console = Console(stderr=True)
    if not console.is_terminal:
        yield Lines()
        return
    columns = (
        SpinnerColumn(),
        TextColumn("{task.description}"),
        BarColumn(bar_width=16),
        TextColumn("{task.fields[scenes]}"),
        TextColumn("[bold]{task.fields[facts]}"),
        TextColumn("{task.fields[rate]}"),
        TimeRemainingColumn(),
        TextColumn("left"),
    )
    with Progress(*columns, console=console) as progress:
        task = progress.add_task(campaign.method, total=None, scenes="", facts="loading", rate="")
        yield Bar(progress, task)
