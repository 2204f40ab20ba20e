"""Subjects that were repaired before, evaluated as their files are now."""

from __future__ import annotations

from collections.abc import Sequence

from snellen.errors import UserError
from snellen.repair.arm_comparison import FIRST, repaired_row
from snellen.repair.held_out_tests import HeldOutTests
from snellen.repair.iteration import NOTE, earlier_rounds
from snellen.repair.repair_arms import Arm
from snellen.repair.repair_outcome import Outcome
from snellen.repair.workspace import Workspace


def reevaluate(bench: Workspace, ways: Sequence[Arm]) -> Outcome:
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
    again = earlier_rounds(held)
    alone = [way for way in known if again is None or way.name != again.way.name]
    rows = [repaired_row(held, FIRST, way, bench.saved(FIRST, way), way.name) for way in alone]
    if again is None:
        return Outcome(bench, test, held.tests, tuple(rows))
    return Outcome(bench, test, held.tests, (*rows, *again.rows), again.rounds)
