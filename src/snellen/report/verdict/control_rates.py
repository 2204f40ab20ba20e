"""How often comparable controls fail, and how much more often tests do."""

from __future__ import annotations

from snellen.contract.verdict import CONTROL
from snellen.statistics.intervals import CONFIDENCE
from snellen.store.estimate import Estimate
from snellen.store.journal import Journal
from snellen.store.rates import Rates
from snellen.store.run_looks import level_of
from snellen.store.summary import ControlKind

CONTROLS = f"{CONTROL}%"
"""The pattern of all kinds of controls."""


def control_kind(rates: Rates, role: str, confidence: float = CONFIDENCE) -> ControlKind:
    """The controls that match a pattern; confidence: of the difference from the tests.

    Drawn ones are weighted by the chances with which they were asked, and compared with the tests
    at the same places; others are compared with all tests by scene.
    """
    plain, drawn = rates.of(role), rates.controlled(role, confidence)
    if drawn is None:
        difference = rates.compared(role).interval(confidence, null=0.0)
    else:
        difference = drawn.difference
    return ControlKind(
        cases=int(plain.cases),
        failing=int(plain.failing),
        rate=Estimate.of(plain if drawn is None else drawn.controls),
        difference=Estimate.of(difference),
    )


def confidence_of(journal: Journal) -> float:
    """The confidence of a run's comparison: 95%, or what its last look leaves of that."""
    return 1 - 2 * level_of(journal, (1 - CONFIDENCE) / 2)


def control_kinds(journal: Journal, rates: Rates) -> dict[str, ControlKind]:
    """Each kind of control by its name."""
    query = "SELECT DISTINCT role FROM cases WHERE role LIKE ? ORDER BY role"
    return {
        role.removeprefix(CONTROL): control_kind(rates, role, confidence_of(journal))
        for (role,) in journal.rows(query, (CONTROLS,))
    }
