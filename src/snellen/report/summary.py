"""`summary.json`: the numbers of a run, read off its journal alone."""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from contextlib import closing
from pathlib import Path
from typing import Any

import numpy as np

from snellen.disk.whole import write_whole
from snellen.methods.verdict import TEST
from snellen.statistics.bootstrap import scene_weights
from snellen.statistics.by_scene import rate_by_scene, rate_difference_by_scene
from snellen.statistics.intervals import Array, Interval, Rate, wilson_rate
from snellen.store.journal import Journal
from snellen.store.runfolder import JOURNAL, SUMMARY

REPLICATES = 2000
CONTROLS = "control:%"


def write_summary(folder: Path) -> dict[str, Any]:
    """The summary of the run in a folder, also written there."""
    with closing(Journal(folder / JOURNAL)) as journal:
        summary = summarise(journal)
    write_whole(folder / SUMMARY, (json.dumps(summary, indent=2) + "\n").encode())
    return summary


def summarise(journal: Journal) -> dict[str, Any]:
    """The numbers of a run. Failure rates count hard events only; flaky cases are told apart."""
    rates = _Rates(journal)
    test, control = rates.of(TEST), rates.of(CONTROLS)
    events, by_class = _events(journal)
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
        "questions": _count(journal, "SELECT total(questions) FROM units"),
        "cache_hits": _count(journal, "SELECT total(cache_hits) FROM timing"),
        "failing_cases": int(test.failing),
        "borderline_cases": _status(journal, "borderline"),
        "flaky_cases": _status(journal, "flaky"),
        "failure_rate": test.to_json(),
        "control": _control(control),
        "controls": {
            role.removeprefix("control:"): _control(rates.of(role))
            for (role,) in journal.rows(
                "SELECT DISTINCT role FROM cases WHERE role LIKE 'control:%' ORDER BY role"
            )
        },
        "difference": rates.difference(TEST, CONTROLS).to_json() if control.cases else None,
        "events": events,
        "by_class": by_class,
        "errors": _errors(journal),
        "skipped": len(journal.get("skipped")),
        "seconds": {name: round(value, 3) for name, value in seconds.items()},
        "requirements": [],
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


class _Rates:
    """Failure rates of a run, by scene, all read with the same bootstrap weights."""

    def __init__(self, journal: Journal) -> None:
        self._journal = journal
        query = "SELECT DISTINCT scene FROM units WHERE status = 'done' ORDER BY scene"
        self._scenes = {scene: place for place, (scene,) in enumerate(journal.rows(query))}
        rng = np.random.default_rng(journal.get("seed"))
        self._weights = scene_weights(max(1, len(self._scenes)), REPLICATES, rng)

    def _counts(self, role: str) -> tuple[Array, Array]:
        """Failing cases and all cases of each scene, for the roles that match a pattern."""
        failing, cases = np.zeros((2, max(1, len(self._scenes))))
        for scene, bad, count in self._journal.rows(
            "SELECT scene, total(cases.status = 'failing'), count(*) FROM cases "
            "JOIN units ON units.number = cases.unit WHERE role LIKE ? GROUP BY scene",
            (role,),
        ):
            failing[self._scenes[scene]], cases[self._scenes[scene]] = bad, count
        return failing, cases

    def of(self, role: str) -> Rate:
        """Failing over all cases of a role: by scene, or Wilson's where scenes are single cases."""
        failing, cases = self._counts(role)
        if cases.max() <= 1:
            return wilson_rate(float(failing.sum()), float(cases.sum()))
        return rate_by_scene(failing, cases, self._weights)

    def difference(self, first: str, second: str) -> Interval:
        """The first role's rate minus the second's, on the same scenes."""
        return rate_difference_by_scene(self._counts(first), self._counts(second), self._weights)


def _control(rate: Rate) -> dict[str, Any]:
    return {"cases": int(rate.cases), "failing": int(rate.failing), "rate": rate.to_json()}


def _events(journal: Journal) -> tuple[dict[str, int], dict[str, dict[str, int]]]:
    """Hard events of failing tests: by kind, and by class and kind."""
    rows = journal.rows(
        "SELECT class, kind, count(*) FROM events JOIN cases ON cases.unit = events.unit "
        'AND cases.number = events."case" '
        "WHERE role = 'test' AND cases.status = 'failing' AND severity = 'hard' "
        "GROUP BY class, kind ORDER BY class, kind"
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
