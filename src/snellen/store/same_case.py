"""The same case in another run: the same unit, role and recipe."""

from __future__ import annotations

from snellen.store.findings import Finding, case_with_events
from snellen.store.journal import Journal


def same_case(journal: Journal, finding: Finding, other: Journal) -> Finding | None:
    """A case of one run as another run has it, the first of several; None if it has none."""
    [key] = journal.rows(
        "SELECT units.id, cases.role, cases.recipe FROM cases "
        "JOIN units ON units.number = cases.unit WHERE cases.unit = ? AND cases.number = ?",
        (finding.unit, finding.number),
    )
    rows = other.rows(
        "SELECT cases.unit, cases.number FROM cases JOIN units ON units.number = cases.unit "
        "WHERE units.id = ? AND cases.role = ? AND cases.recipe = ? ORDER BY cases.number LIMIT 1",
        key,
    )
    return case_with_events(other, *rows[0]) if rows else None


def scene_answer(journal: Journal, finding: Finding, other: Journal) -> int | None:
    """The row of another run's prediction on the unchanged scene of a case; None if it has none."""
    rows = other.rows(
        "SELECT cases.before FROM cases JOIN units ON units.number = cases.unit "
        "WHERE units.id = ? AND cases.before IS NOT NULL ORDER BY cases.number LIMIT 1",
        journal.rows("SELECT id FROM units WHERE number = ?", (finding.unit,))[0],
    )
    return None if not rows else int(rows[0][0])
