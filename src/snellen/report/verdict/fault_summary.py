"""The counts of faults, explanations and checks of a run."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from snellen.contract.explanation import UNEXPLAINED
from snellen.contract.verdict import CHECK, TEST
from snellen.methods.kind import view_of
from snellen.methods.view import RunRecord, View
from snellen.report.verdict.fault_words import fault_clause
from snellen.store.faults import Fault, causes_of, faults
from snellen.store.findings import findings
from snellen.store.journal import Journal
from snellen.store.untested_units import TESTED
from snellen.store.verdict_summary import CheckCounts, ExplainedCounts, FaultCounts, WorstFault
from snellen.subjects.subject import Task


def ranked_faults(journal: Journal) -> list[Fault]:
    """The faults of a run, their findings in the method's order."""
    return faults(journal, findings(journal, view_of(journal.get("method")).rank))


def fault_counts(record: RunRecord, view: View) -> FaultCounts:
    """The faults of a run, with the worst in words."""
    journal, found = record.journal, record.once(ranked_faults)
    examined = journal.rows(f"SELECT count(DISTINCT scene) FROM units WHERE {TESTED}")
    proven, confirmed = (
        [one for one in found if getattr(one, name)] for name in ("proven", "confirmed")
    )
    return FaultCounts(
        count=len(found),
        scenes=_scenes(found),
        examined=examined[0][0],
        explained=sum(one.parts[0].cause.known for one in found),
        proven=len(proven),
        proven_scenes=_scenes(proven),
        confirmed=len(confirmed),
        confirmed_scenes=_scenes(confirmed),
        by_cause=causes_of(found),
        worst=_worst(found[0], record, view) if found else None,
    )


def _scenes(found: Sequence[Fault]) -> int:
    return len({scene for one in found for scene in one.scenes})


def _worst(fault: Fault, record: RunRecord, view: View) -> WorstFault:
    finding = fault.representative
    return WorstFault(
        id=fault.id,
        finding=finding.id,
        scene=finding.scene,
        words=fault_clause(fault, Task(record.journal.get("subject")["task"]), view, record.run),
        cause=fault.cause,
        says=fault.says,
        proven=fault.proven,
    )


def explained_counts(journal: Journal) -> ExplainedCounts:
    """How many failing tests were explained, and by what."""
    rows = journal.rows(
        "SELECT cause, proven FROM explanations JOIN cases ON cases.unit = explanations.unit "
        "AND cases.number = explanations.\"case\" WHERE role = ? AND status = 'failing' "
        "AND cause != ?",
        (TEST, UNEXPLAINED),
    )
    causes = Counter(cause for cause, _ in rows)
    ordered = dict(sorted(causes.items(), key=lambda one: (-one[1], one[0])))
    return ExplainedCounts(cases=len(rows), proven=sum(row[1] for row in rows), by_cause=ordered)


def check_counts(journal: Journal) -> dict[str, CheckCounts]:
    """The checks of the tool by kind."""
    rows = journal.rows(
        "SELECT role, count(*), total(status = 'failing'), total(status = 'flaky') FROM cases "
        "WHERE role LIKE ? GROUP BY role ORDER BY role",
        (f"{CHECK}%",),
    )
    return {
        role.removeprefix(CHECK): CheckCounts(cases=cases, failing=int(bad), flaky=int(flaky))
        for role, cases, bad, flaky in rows
    }
