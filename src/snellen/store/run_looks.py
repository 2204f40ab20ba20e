"""The looks at a run that ends when its verdict is decided, as its journal records them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from snellen.statistics.looks import look_levels
from snellen.store.journal import Journal

KEY = "looks"


@dataclass(frozen=True)
class RunLooks:
    """The looks of a run. planned: units at each, fixed in advance, the last being all.

    taken: how many were taken. decided: whether the last one ended the run, None while it is
    being taken.
    """

    planned: tuple[int, ...]
    taken: int = 0
    decided: bool | None = False

    @classmethod
    def of(cls, journal: Journal) -> RunLooks | None:
        """The looks of a run; None for one that is judged at its end only."""
        found = journal.get(KEY)
        if found is None:
            return None
        return cls(tuple(found["planned"]), found["taken"], found["decided"])

    def level(self, level: float) -> float:
        """The level now of a one-sided test whose level over all looks together is given.

        Before the first look it is that of the first.
        """
        return look_levels(self.planned, level)[max(self.taken, 1) - 1]

    @property
    def stopped(self) -> bool:
        """Whether the run ended before its last unit."""
        return bool(self.decided) and self.taken < len(self.planned)

    def to_json(self) -> dict[str, Any]:
        """Plain values for the journal."""
        return {"planned": list(self.planned), "taken": self.taken, "decided": self.decided}


def level_of(journal: Journal, level: float) -> float:
    """The level of a one-sided test of a run: the one given, or that of its last look."""
    looks = RunLooks.of(journal)
    return level if looks is None else looks.level(level)
