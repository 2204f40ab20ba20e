"""How a repair in progress shows itself: a bar on a terminal, plain lines elsewhere."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager

from rich.console import Console
from rich.progress import BarColumn, Progress, SpinnerColumn, TaskID, TextColumn
from rich.progress import TimeRemainingColumn as Left

from snellen.cli.watching import SECONDS_BETWEEN_LINES
from snellen.engine.progress import Tally
from snellen.repair.training.watching import Moment
from snellen.repair.watching import Watcher
from snellen.store.journal import UnitEnd


class Told:
    """Turns what a repair tells into words: how much of a stage is done, and facts."""

    def begun(self, stage: str) -> None:
        """A stage begins."""

    def show(self, done: int, total: int, facts: str) -> None:
        """How far the stage is."""

    def update(self, tally: Tally, end: UnitEnd | None) -> None:
        """A run goes on."""
        facts = f"scenes, {tally.failing} failing of {tally.cases} cases"
        self.show(tally.ended, tally.units, facts)

    def preparing(self, what: str, done: int, total: int) -> None:
        """A run is prepared."""
        self.show(done, total, what)

    def stepped(self, moment: Moment) -> None:
        """A training goes on."""
        self.show(moment.step, moment.steps, f"steps, loss {moment.loss:.3g}")

    def measured(self, epoch: int, values: Mapping[str, float]) -> None:
        """An epoch ends; the curves have its figures."""


class Bar(Told):
    """A live bar: the stage, how far it is, and facts."""

    def __init__(self, progress: Progress, task: TaskID) -> None:
        self._progress, self._task = progress, task

    def begun(self, stage: str) -> None:
        """Name the stage."""
        self._progress.reset(self._task, total=None, description=stage, facts="")

    def show(self, done: int, total: int, facts: str) -> None:
        """Redraw."""
        told = f"{done}/{total} {facts}"
        self._progress.update(self._task, completed=done, total=total, facts=told)


class Lines(Told):
    """A plain line when a stage begins, and every few seconds."""

    def __init__(self) -> None:
        self._next = time.monotonic() + SECONDS_BETWEEN_LINES

    def begun(self, stage: str) -> None:
        """Say so."""
        print(stage, file=sys.stderr, flush=True)

    def show(self, done: int, total: int, facts: str) -> None:
        """Print a line if it is time for one."""
        now = time.monotonic()
        if now >= self._next:
            self._next = now + SECONDS_BETWEEN_LINES
            print(f"  {done}/{total} {facts}", file=sys.stderr, flush=True)


@contextmanager
def watching() -> Iterator[Watcher]:
    """A watcher that suits where standard error goes."""
    console = Console(stderr=True)
    if not console.is_terminal:
        yield Lines()
        return
    columns = (
        SpinnerColumn(),
        TextColumn("{task.description}"),
        BarColumn(bar_width=16),
        TextColumn("{task.fields[facts]}"),
        Left(),
    )
    with Progress(*columns, console=console) as progress:
        yield Bar(progress, progress.add_task("repair", total=None, facts=""))
