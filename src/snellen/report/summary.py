"""`summary.json`: the numbers of a run, read off its journal alone."""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from contextlib import closing
from pathlib import Path
from typing import Any

from snellen.contract.verdict import TEST
from snellen.disk.atomic_file import write_atomically
from snellen.methods.combinations.numbers import combination_numbers
from snellen.methods.fusion.numbers import fusion_numbers
from snellen.methods.insertion.numbers import insertion_numbers
from snellen.methods.requirements.numbers import requirement_numbers
from snellen.methods.robustness.numbers import robustness_numbers
from snellen.store.journal import Journal
from snellen.store.rates import Rates
from snellen.store.run_folder import JOURNAL, SUMMARY

CONTROLS = "control:%"


def write_summary(folder: Path) -> dict[str, Any]:
    """The summary of the run in a folder, also written there."""
    with closing(Journal(folder / JOURNAL)) as journal:
        summary = summarise(journal)
    write_atomically(folder / SUMMARY, (json.dumps(summary, indent=2) + "\n").encode())
    return summary


def summarise(journal: Journal) -> dict[str, Any]:
    """The numbers of a run. Failure rates count hard events only; flaky cases are told apart."""
    rates = Rates(journal)
    test, control = rates.of(TEST), rates.of(CONTROLS)
    events, by_class = _events(journal)
    borderline, _ = _events(journal, severity="borderline")
    subject = journal.get("subject")
    seconds = journal.get("seconds") or {"total": 0.0, "subject": 0.0, "building": 0.0}
    return {
        "snellen_version": journal.get("snellen_version"),
        "method": journal.get("method"),
        "subject": {
            key: subject[key] for key in ("name", "task", "fingerprint", "score", "deterministic")
        },
        "seed": journal.get("seed"),
        "scenes": journal.get("scenes"),
        "units": _units(journal),
        "cases": _count(journal, "SELECT count(*) FROM cases"),
        "test_cases": int(test.cases),
        "questions": _count(journal, "SELECT total(questions) FROM units"),
        "cache_hits": _count(journal, "SELECT total(cache_hits) FROM timing"),
        "failing_cases": int(test.failing),
        "borderline_cases": _status(journal, "borderline"),
        "flaky_cases": _status(journal, "flaky"),
        "failure_rate": test.to_json(),
        "control": _control(rates, CONTROLS),
        "controls": _controls(journal, rates),
        "difference": rates.difference(TEST, CONTROLS).to_json() if control.cases else None,
        "events": events,
        "borderline_events": borderline,
        "by_class": by_class,
        "errors": _errors(journal),
        "skipped": len(journal.get("skipped")),
        "seconds": {name: round(value, 3) for name, value in seconds.items()},
        "requirements": [],
        **insertion_numbers(journal, rates),
        **combination_numbers(journal, rates),
        **requirement_numbers(journal),
        **fusion_numbers(journal, rates),
        **robustness_numbers(journal, rates),
    }


def _count(journal: Journal, query: str) -> int:
    return int(journal.rows(query)[0][0])


def _status(journal: Journal, status: str) -> int:
    query = "SELECT count(*) FROM cases WHERE role = 'test' AND status = ?"
    return int(journal.rows(query, (status,))[0][0])


def _units(journal: Journal) -> dict[str, int]:
    total = journal.get("units")
    found = Counter(dict(journal.rows("SELECT status, count(*) FROM units GROUP BY status")))
    done, errors = found["done"], found["error"]
    return {"total": total, "done": done, "errors": errors, "left_out": total - done - errors}


def _control(rates: Rates, role: str) -> dict[str, Any]:
    rate = rates.of(role)
    return {"cases": int(rate.cases), "failing": int(rate.failing), "rate": rate.to_json()}


def _controls(journal: Journal, rates: Rates) -> dict[str, dict[str, Any]]:
    """Each kind of control by itself, and by how much the tests fail more often than it."""
    query = "SELECT DISTINCT role FROM cases WHERE role LIKE ? ORDER BY role"
    return {
        role.removeprefix("control:"): {
            **_control(rates, role),
            "difference": rates.difference(TEST, role).to_json(),
        }
        for (role,) in journal.rows(query, (CONTROLS,))
    }


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


def _errors(journal: Journal) -> list[dict[str, Any]]:
    rows = journal.rows(
        "SELECT stage, kind, message, count(*), min(units.scene) FROM errors "
        "JOIN units ON units.number = errors.unit GROUP BY stage, kind, message "
        "ORDER BY count(*) DESC, stage, kind, message LIMIT 20"
    )
    names = ("stage", "kind", "message", "count", "example")
    return [dict(zip(names, row, strict=True)) for row in rows]
