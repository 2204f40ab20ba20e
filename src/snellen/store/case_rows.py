"""Cases for the comparison of two runs, read from a journal."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from snellen.store.journal import Journal


@dataclass(frozen=True)
class CaseRow:
    """A case for the comparison of two runs. before, after: rows of predictions."""

    scene: str
    unit: str
    role: str
    recipe: str
    failing: bool
    before: int | None
    after: int

    @property
    def control(self) -> bool:
        """Whether it is a control."""
        return self.role.startswith("control:")


def case_rows(journal: Journal, scenes: Sequence[str]) -> list[CaseRow]:
    """The tests and controls of some scenes, in the order they were judged."""
    rows = journal.rows(
        "SELECT units.scene, units.id, role, recipe, cases.status = 'failing', before, after "
        "FROM cases JOIN units ON units.number = cases.unit "
        "WHERE role = 'test' OR role LIKE 'control:%' ORDER BY cases.unit, cases.number"
    )
    wanted = set(scenes)
    return [
        CaseRow(scene, unit, role, recipe, bool(failing), before, after)
        for scene, unit, role, recipe, failing, before, after in rows
        if scene in wanted
    ]
