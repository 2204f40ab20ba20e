"""Looks at a run before its end: units in random order, judged at numbers fixed in advance.

The order and the numbers depend on the seed and the units alone, and no unit after a look is opened
before it is taken. So a run ends at the same unit whatever the batch, the workers or the engine,
and also if it is killed and resumed.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import pairwise

from snellen.engine.open_unit import OpenUnit
from snellen.engine.seeds import unit_generator
from snellen.store.journal import Journal
from snellen.store.run_looks import KEY, RunLooks

FIRST = 16
"""Units at the first look; every further look has twice as many."""
LAST_SHARE = 0.75
"""No look is taken beyond this share of all units, except the last."""


def look_counts(units: int) -> tuple[int, ...]:
    """The numbers of units at which a run is judged: doubling from 16, and all.

    >>> look_counts(100), look_counts(20), look_counts(300)
    ((16, 32, 64, 100), (20,), (16, 32, 64, 128, 300))
    """
    counts, count = [], FIRST
    while count <= LAST_SHARE * units:
        counts.append(count)
        count *= 2
    return (*counts, units)


class Looks:
    """The stages of a run that ends when it is decided.

    units: all of them. ended: numbers of those in the journal. decided: judges what the journal
    has.
    """

    def __init__(
        self,
        units: Sequence[OpenUnit],
        ended: set[int],
        journal: Journal,
        decided: Callable[[], bool],
        seed: int,
    ) -> None:
        counts = look_counts(len(units))
        order = unit_generator(seed, KEY, "").permutation(len(units))
        self._stages = [
            [units[place] for place in order[low:high] if units[place].number not in ended]
            for low, high in pairwise((0, *counts))
        ]
        self._journal = journal
        self._decided = decided
        self._looks = RunLooks.of(journal) or RunLooks(counts)
        self._opened = 0

    def later(self) -> Sequence[OpenUnit]:
        """The units to open next, when all opened ones have ended; none at the end of the run."""
        while True:
            found = self._next_stage()
            if found is None or found:
                return found or ()

    def _next_stage(self) -> Sequence[OpenUnit] | None:
        """The units up to the next look, after the look that is due; None at the end."""
        if self._opened and self._looks.taken < self._opened:
            self._put(replace(self._looks, taken=self._opened, decided=None))
        if self._opened and self._looks.decided is None:
            self._put(replace(self._looks, decided=self._decided()))
        if self._opened == len(self._stages) or (
            self._looks.decided and self._opened >= self._looks.taken
        ):
            return None
        self._opened += 1
        return self._stages[self._opened - 1]

    def _put(self, looks: RunLooks) -> None:
        self._looks = looks
        self._journal.put({KEY: looks.to_json()})
