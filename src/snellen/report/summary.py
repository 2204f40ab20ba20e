"""The summary of a run, from its journal; every command that writes one calls this module."""

from __future__ import annotations

from collections import Counter, defaultdict
from contextlib import ExitStack
from pathlib import Path

from snellen.contract.verdict import TEST
from snellen.methods.kind import view_of
from snellen.methods.view import RunRecord
from snellen.report.reopened_run import reopened_if_possible
from snellen.report.verdict.control_rates import (
    CONTROLS,
    confidence_of,
    control_kind,
    control_kinds,
)
from snellen.report.verdict.fault_summary import check_counts, explained_counts, fault_counts
from snellen.report.verdict.verdict_status import verdict_status
from snellen.report.words import verdict_of
from snellen.store.estimate import Estimate
from snellen.store.journal import Journal
from snellen.store.opened_journal import opened_journal
from snellen.store.opened_run import OpenedRun
from snellen.store.run_looks import RunLooks
from snellen.store.summary import (
    ControlRate,
    ErrorCount,
    Seconds,
    SubjectTraits,
    Summary,
    UnitCounts,
)
from snellen.store.untested_units import untested_units
from snellen.store.verdict_summary import VerdictStatus

TRAITS = ("name", "task", "fingerprint", "score", "deterministic")


def write_summary(folder: Path) -> Summary:
    """The summary of the run in a folder, also written there."""
    with opened_journal(folder) as journal:
        summary = summary_of_folder(folder, journal)
    summary.write(folder)
    return summary


def summary_of_folder(folder: Path, journal: Journal) -> Summary:
    """The summary of the run in a folder, which is reopened if its method needs that."""
    with ExitStack() as stack:
        run = None
        if view_of(journal.get("method")).rebuilds:
            run = stack.enter_context(reopened_if_possible(folder, journal))
        return summarise(journal, run)


def summarise(journal: Journal, run: OpenedRun | None = None) -> Summary:
    """The numbers of a run; run: reopened, None where its scenes are missing or not needed."""
    return summary_of(RunRecord.of(journal, run))


def summary_of(record: RunRecord) -> Summary:
    """The numbers of a run with those of its method."""
    journal, rates = record.journal, record.rates
    test = rates.of(TEST)
    control = control_kind(rates, CONTROLS, confidence_of(journal))
    events, by_class = _events(journal)
    borderline, _ = _events(journal, severity="borderline")
    subject = journal.get("subject")
    view = view_of(journal.get("method"))
    numbers = Summary(
        snellen_version=journal.get("snellen_version"),
        method=journal.get("method"),
        subject=SubjectTraits.model_validate({key: subject[key] for key in TRAITS}),
        seed=journal.get("seed"),
        scenes=journal.get("scenes"),
        units=_units(journal),
        cases=_count(journal, "SELECT count(*) FROM cases"),
        test_cases=int(test.cases),
        questions=_count(journal, "SELECT total(questions) FROM units"),
        cache_hits=_count(journal, "SELECT total(cache_hits) FROM timing"),
        failing_cases=int(test.failing),
        borderline_cases=_status(journal, "borderline"),
        flaky_cases=_status(journal, "flaky"),
        unconfirmed_cases=_status(journal, "unconfirmed"),
        failure_rate=Estimate.of(test),
        control=ControlRate.model_validate(control.model_dump(exclude={"difference"})),
        controls=control_kinds(journal, rates),
        difference=control.difference if control.cases else None,
        events=events,
        borderline_events=borderline,
        by_class=by_class,
        errors=_errors(journal),
        skipped=len(journal.get("skipped")),
        seconds=_seconds(journal),
        faults=fault_counts(record, view),
        explained=explained_counts(journal),
        checks=check_counts(journal),
        requirements=tuple(view.tests(record)),
        own=view.numbers(record),
    )
    more = None
    if verdict_status(numbers) == VerdictStatus.UNDECIDED and numbers.difference is not None:
        more = rates.more_scenes(CONTROLS)
    return numbers.model_copy(update={"verdict": verdict_of(numbers, more)})


def _count(journal: Journal, query: str) -> int:
    return int(journal.rows(query)[0][0])


def _status(journal: Journal, status: str) -> int:
    query = "SELECT count(*) FROM cases WHERE role = 'test' AND status = ?"
    return int(journal.rows(query, (status,))[0][0])


def _units(journal: Journal) -> UnitCounts:
    total = journal.get("units")
    found = Counter(dict(journal.rows("SELECT status, count(*) FROM units GROUP BY status")))
    done, errors = found["done"], found["error"]
    rest, looks = total - done - errors, RunLooks.of(journal)
    spared = rest if looks is not None and looks.stopped else 0
    return UnitCounts(
        total=total,
        done=done,
        errors=errors,
        left_out=rest - spared,
        not_needed=spared,
        untested=untested_units(journal),
    )


def _events(
    journal: Journal, severity: str = "hard"
) -> tuple[dict[str, int], dict[str, dict[str, int]]]:
    """Events of one severity in failing tests (borderline: in any): by kind, by class and kind."""
    rows = journal.rows(
        "SELECT class, kind, count(*) FROM events JOIN cases ON cases.unit = events.unit "
        'AND cases.number = events."case" '
        "WHERE role = 'test' AND severity = ? AND (cases.status = 'failing' OR severity != 'hard') "
        "GROUP BY class, kind ORDER BY class, kind",
        (severity,),
    )
    kinds: Counter[str] = Counter()
    classes: dict[str, dict[str, int]] = defaultdict(dict)
    for name, kind, count in rows:
        kinds[kind] += count
        classes[name][kind] = count
    return dict(sorted(kinds.items())), dict(classes)


def _errors(journal: Journal) -> tuple[ErrorCount, ...]:
    rows = journal.rows(
        "SELECT stage, kind, message, count(*), min(units.scene) FROM errors "
        "JOIN units ON units.number = errors.unit GROUP BY stage, kind, message "
        "ORDER BY count(*) DESC, stage, kind, message LIMIT 20"
    )
    names = ("stage", "kind", "message", "count", "example")
    return tuple(ErrorCount.model_validate(dict(zip(names, row, strict=True))) for row in rows)


def _seconds(journal: Journal) -> Seconds:
    found = journal.get("seconds") or {"total": 0.0, "subject": 0.0, "building": 0.0}
    return Seconds.model_validate({name: round(value, 3) for name, value in found.items()})
