"""Subjects that were repaired before, evaluated as their files are now."""

from __future__ import annotations

from collections.abc import Sequence

from snellen.errors import UserError
from snellen.repair.bench import Bench
from snellen.repair.comparing import FIRST, repaired_row
from snellen.repair.iterating import NOTE, rounds_again
from snellen.repair.judging import HeldOutTests
from snellen.repair.outcome import Outcome
from snellen.repair.ways import Way


def evaluated_again(bench: Bench, ways: Sequence[Way]) -> Outcome:
    """Those of the ways that were trained before, and all rounds; nothing is trained.

    The first round of a way is that way, and is told once, as the round.
    """
    known = [way for way in ways if bench.facts(FIRST, way)]
    if not known and bench.stages.known(NOTE) is None:
        raise UserError(
            f"{bench.stages.root}: there is no repaired subject to evaluate. Repair first: leave "
            "--evaluate out."
        )
    test = bench.tested(FIRST, bench.given)
    held = HeldOutTests.of(bench)
    again = rounds_again(held)
    alone = [way for way in known if again is None or way.name != again.way.name]
    rows = [repaired_row(held, FIRST, way, bench.saved(FIRST, way), way.name) for way in alone]
    if again is None:
        return Outcome(bench, test, held.tests, tuple(rows))
    return Outcome(bench, test, held.tests, (*rows, *again.rows), again.rounds)
