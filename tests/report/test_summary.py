"""The numbers of a summary, against counts made by hand."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

import numpy as np

from snellen.changes.identity import Identity
from snellen.contract.verdict import TEST, Case, Status, Verdict
from snellen.report.summary import summarise
from snellen.report.words import next_steps
from snellen.statistics import rate as clustered_rate
from snellen.statistics.intervals import wilson_rate
from snellen.store.estimate import percent
from snellen.store.journal import Failure, Journal, UnitEnd
from snellen.vision.detections import Detections
from snellen.vision.events import Event, EventKind, Severity

NOTHING = Detections.empty()
LOST = Event(EventKind.LOST, 1, 0, None, 0.9, Severity.HARD)
FAINT = Event(EventKind.LOST, 0, 0, None, 0.1, Severity.BORDERLINE)


def case(role: str, status: Status, *events: Event) -> Case:
    return Case(Identity(), role, status, NOTHING, NOTHING, events)


def journal_of(folder: Path, units: list[list[Case]]) -> Journal:
    journal = Journal(folder / "journal.sqlite")
    journal.put(
        {
            "method": "identity",
            "snellen_version": "0",
            "seed": 1,
            "scenes": len(units) + 1,
            "units": len(units) + 2,
            "skipped": [],
            "subject": {
                "name": "s",
                "task": "detection",
                "fingerprint": "f",
                "score": 0.5,
                "deterministic": True,
            },
        }
    )
    for number, cases in enumerate(units):
        end = UnitEnd(number, f"u{number}", f"s{number}", len(cases), Verdict(tuple(cases)))
        journal.write(end, ("cat", "dog"))
    error = Failure("subject", "ValueError", "no")
    journal.write(UnitEnd(len(units), "bad", "bad", 1, None, error), ("cat", "dog"))
    return journal


def test_counts_are_right(tmp_path: Path) -> None:
    units = [
        [
            case(TEST, Status.FAILING, LOST, LOST, FAINT),
            case(TEST, Status.BORDERLINE, FAINT),
            case("control:identity", Status.HOLDS),
        ],
        [
            case(TEST, Status.FLAKY, LOST),
            case("control:patch", Status.FAILING, LOST),
            case("control:identity", Status.HOLDS),
        ],
    ]
    with closing(journal_of(tmp_path, units)) as journal:
        summary = summarise(journal)
    assert (summary.cases, summary.failing_cases) == (6, 1)
    assert (summary.borderline_cases, summary.flaky_cases) == (1, 1)
    assert summary.failure_rate.value == 1 / 3
    assert summary.events == {"lost": 2}, "only hard events of failing tests are counted"
    assert summary.by_class == {"dog": {"lost": 2}}
    assert (summary.control.cases, summary.control.failing) == (3, 1)
    assert summary.controls["identity"].failing == 0
    assert summary.controls["patch"].rate.value == 1.0
    written = summary.to_json()
    assert np.isclose(written["difference"]["value"], 0.0)
    counts = {"total": 4, "done": 2, "errors": 1, "left_out": 1, "not_needed": 0, "untested": {}}
    assert written["units"] == counts
    assert written["errors"] == [
        {"stage": "subject", "kind": "ValueError", "message": "no", "count": 1, "example": "bad"}
    ]
    assert "--resume --retry-errors" in next_steps(summary, tmp_path)[0]


def test_scenes_with_one_case_each_get_the_same_interval_as_others(tmp_path: Path) -> None:
    units = [[case(TEST, Status.FAILING if n < 5 else Status.HOLDS)] for n in range(20)]
    with closing(journal_of(tmp_path, units)) as journal:
        rate = summarise(journal).failure_rate
    expected = clustered_rate([1] * 5 + [0] * 15, [1] * 20)
    assert (rate.low, rate.high) == (expected.low, expected.high)
    assert rate.method == "clustered rate"


def test_cases_that_fail_together_widen_the_interval(tmp_path: Path) -> None:
    """Ten cases a scene that all fail or all hold are worth one case, not ten."""
    units = [
        [case(TEST, Status.FAILING if n % 3 == 0 else Status.HOLDS) for _ in range(10)]
        for n in range(60)
    ]
    with closing(journal_of(tmp_path, units)) as journal:
        rate = summarise(journal).failure_rate
    naive = wilson_rate(200, 600)
    assert rate.high - rate.low > 2 * (naive.high - naive.low)


def test_a_rate_without_cases_is_not_zero(tmp_path: Path) -> None:
    with closing(journal_of(tmp_path, [])) as journal:
        summary = summarise(journal)
    assert summary.failure_rate.value is None
    assert percent(summary.failure_rate) == "no cases"
