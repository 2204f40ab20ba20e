"""Progress that the engine reports to a watcher."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from snellen.store.journal import UnitEnd


@dataclass
class RunTally:
    """The state of a run, updated by the engine."""

    units: int
    ended: int = 0
    errors: int = 0
    left_out: int = 0
    questions: int = 0
    cache_hits: int = 0
    cases: int = 0
    failing: int = 0
    busy: float = 0.0
    building: float = 0.0
    wall: float = 0.0


class Watcher(Protocol):
    """Sees the tally after each unit and each batch."""

    def update(self, tally: RunTally, end: UnitEnd | None) -> None:
        """Called often, from the engine's own thread; must be quick."""

    def preparing(self, what: str, done: int, total: int) -> None:
        """Progress of a preparation, before the first question."""


class SilentWatcher:
    """A watcher that reports nothing."""

    def update(self, tally: RunTally, end: UnitEnd | None) -> None:
        """Nothing."""

    def preparing(self, what: str, done: int, total: int) -> None:
        """Nothing."""
