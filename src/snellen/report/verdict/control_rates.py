"""How often comparable controls fail, and how much more often tests do."""

from __future__ import annotations

from snellen.contract.verdict import CONTROL, TEST
from snellen.store.estimate import Estimate
from snellen.store.journal import Journal
from snellen.store.rates import Rates
from snellen.store.summary import ControlKind

CONTROLS = f"{CONTROL}%"
"""The pattern of all kinds of controls."""


def control_kind(rates: Rates, role: str) -> ControlKind:
    """The controls that match a pattern.

    Drawn ones are weighted by the chances with which they were asked, and compared with the tests
    at the same places; others are compared with all tests by scene.
    """
    plain, drawn = rates.of(role), rates.controlled(role)
    difference = rates.difference(TEST, role) if drawn is None else drawn.difference
    return ControlKind(
        cases=int(plain.cases),
        failing=int(plain.failing),
        rate=Estimate.of(plain if drawn is None else drawn.controls),
        difference=Estimate.of(difference),
    )


def control_kinds(journal: Journal, rates: Rates) -> dict[str, ControlKind]:
    """Each kind of control by its name."""
    query = "SELECT DISTINCT role FROM cases WHERE role LIKE ? ORDER BY role"
    return {
        role.removeprefix(CONTROL): control_kind(rates, role)
        for (role,) in journal.rows(query, (CONTROLS,))
    }
