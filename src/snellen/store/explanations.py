"""The explanations of findings, read from a journal."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from snellen.contract.explanation import NamedCause
from snellen.store.findings import Finding, case_with_events
from snellen.store.journal import Journal


@dataclass(frozen=True, eq=False)
class RecordedRung:
    """A counterfactual question and its answer. persists: whether the failure is still there."""

    name: str
    persists: bool
    case: Finding

    def to_json(self) -> dict[str, Any]:
        """Plain values."""
        return {
            "name": self.name,
            "persists": self.persists,
            "status": self.case.status,
            "recipe": self.case.recipe,
        }


@dataclass(frozen=True, eq=False)
class RecordedExplanation:
    """The explanation of a finding with its rungs in the order they were asked.

    smallest: the smallest case that still fails, None if that is the finding itself. deterministic:
    whether the subject is; only then is a cause proven, otherwise confirmed.
    """

    finding: Finding
    cause: NamedCause
    rungs: tuple[RecordedRung, ...]
    smallest: Finding | None
    deterministic: bool = True

    @property
    def sure(self) -> str:
        """`proven`, `confirmed`, or nothing."""
        return "" if not self.cause.proven else "proven" if self.deterministic else "confirmed"

    def to_json(self) -> dict[str, Any]:
        """Plain values; smallest: the recipe of the smallest case that still fails."""
        one = self.cause
        return {
            "id": self.finding.id,
            "cause": one.cause,
            "proven": self.sure == "proven",
            "says": one.says,
            "smallest": None if self.smallest is None else self.smallest.recipe,
            "rungs": [rung.to_json() for rung in self.rungs],
        }


def causes(journal: Journal) -> Mapping[tuple[int, int], tuple[NamedCause, ...]]:
    """For each explained finding, by unit and number, the cause of each thing that it strikes."""
    rows = journal.rows(
        'SELECT unit, "case", cause, proven, says FROM causes ORDER BY unit, "case", target'
    )
    found: dict[tuple[int, int], tuple[NamedCause, ...]] = defaultdict(tuple)
    for unit, case, cause, proven, says in rows:
        found[unit, case] += (NamedCause(cause, bool(proven), says),)
    return found


def explanation_of(journal: Journal, finding: Finding) -> RecordedExplanation | None:
    """The explanation of a finding, None if the run has none."""
    place = finding.unit, finding.number
    found = journal.rows(
        'SELECT cause, proven, says, smallest FROM explanations WHERE unit = ? AND "case" = ?',
        place,
    )
    if not found:
        return None
    [(cause, proven, says, smallest)] = found
    rows = journal.rows(
        'SELECT name, persists, part FROM rungs WHERE unit = ? AND "case" = ? ORDER BY number',
        place,
    )
    rungs = tuple(
        RecordedRung(name, bool(persists), case_with_events(journal, finding.unit, part))
        for name, persists, part in rows
    )
    least = None if smallest is None else case_with_events(journal, finding.unit, smallest)
    known = NamedCause(cause, bool(proven), says)
    steady = bool(journal.get("subject")["deterministic"])
    return RecordedExplanation(finding, known, rungs, least, steady)
