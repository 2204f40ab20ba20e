"""Earlier repaired subjects, evaluated again as currently saved."""

from __future__ import annotations

from collections.abc import Sequence

from snellen.errors import UserError
from snellen.repair.arm_comparison import FIRST, repaired_row
from snellen.repair.held_out_tests import HeldOutTests
from snellen.repair.iteration import NOTE, earlier_rounds
from snellen.repair.repair_arms import Arm
from snellen.repair.repair_outcome import Outcome
from snellen.repair.workspace import Workspace


def reevaluate(workspace: Workspace, arms: Sequence[Arm]) -> Outcome:
    """Evaluate the arms that were trained before, and all rounds; nothing is trained.

    The first round of an iterated arm is that arm; it appears once, as the round.
    """
    trained = [arm for arm in arms if workspace.facts(FIRST, arm)]
    if not trained and workspace.stages.recorded(NOTE) is None:
        raise UserError(
            f"{workspace.stages.root}: there is no repaired subject to evaluate. Repair first, "
            "without --evaluate."
        )
    test = workspace.tested(FIRST, workspace.baseline)
    held = HeldOutTests.of(workspace)
    earlier = earlier_rounds(held)
    alone = [arm for arm in trained if earlier is None or arm.name != earlier.arm.name]
    rows = [repaired_row(held, FIRST, arm, workspace.saved(FIRST, arm), arm.name) for arm in alone]
    if earlier is None:
        return Outcome(workspace, test, held.tests, tuple(rows))
    return Outcome(workspace, test, held.tests, (*rows, *earlier.rows), earlier.rounds)
