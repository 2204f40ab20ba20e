"""What a tracker is given of a run: parameters, metrics with intervals, faults and files."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from snellen.session.run import Run, open_run
from snellen.store.estimate import Estimate
from snellen.store.run_folder import SUMMARY
from snellen.store.summary import Summary

PREFIX = "snellen"
"""Names are `snellen/METHOD/...`: several runs can stand beside the numbers of one training run."""
FAULT_COLUMNS = ("fault", "target", "cause", "proven", "findings", "scenes", "says")
_FOREIGN = re.compile(r"[^\w\-. /]+")
"""Characters that some tracker refuses in a name."""


@dataclass(frozen=True)
class LoggedRun:
    """A run as plain values.

    place: the start of all names. params: what was run. metrics: numbers by name; an interval's
    ends are called `..._low` and `..._high`. faults: rows of `FAULT_COLUMNS`, proven ones first.
    files: report and summary.
    """

    name: str
    place: str
    params: dict[str, Any]
    metrics: dict[str, float]
    faults: list[list[Any]]
    files: tuple[Path, ...]


def logged_run(run: Run | str | Path) -> LoggedRun:
    """What is logged of a run, or of the run in a folder."""
    found = run if isinstance(run, Run) else open_run(run)
    summary = found.summary
    rows = [
        [one.id, one.target, one.cause, one.proven, len(one.findings), len(one.scenes), one.says]
        for one in found.faults
    ]
    files = [found.report, found.folder / SUMMARY]
    place = f"{PREFIX}/{summary.method}"
    return LoggedRun(
        name=f"{PREFIX} {summary.method} {found.folder.resolve().name}",
        place=place,
        params={f"{place}/{name}": value for name, value in _params(summary).items()},
        metrics={f"{place}/{_FOREIGN.sub('_', name)}": one for name, one in _metrics(summary)},
        faults=rows,
        files=tuple(path for path in files if path.is_file()),
    )


def _params(summary: Summary) -> dict[str, Any]:
    subject = summary.subject
    return {
        "version": summary.snellen_version,
        "seed": summary.seed,
        "scenes": summary.scenes,
        "subject": subject.name,
        "task": subject.task,
        "fingerprint": subject.fingerprint,
        "score": subject.score,
        "verdict": str(summary.verdict.status),
    }


def _metrics(summary: Summary) -> Iterator[tuple[str, float]]:
    counts = {
        "test_cases": summary.test_cases,
        "failing_cases": summary.failing_cases,
        "flaky_cases": summary.flaky_cases,
        "questions": summary.questions,
        "fault_count": summary.faults.count,
        "proven_fault_count": summary.faults.proven,
        "units": summary.units.tested,
        "unit_errors": summary.units.errors,
        "seconds": summary.seconds.total,
    }
    for name, value in counts.items():
        yield name, float(value)
    yield from _estimate("failure_rate", summary.failure_rate)
    yield from _estimate("control_rate", summary.control.rate)
    if summary.difference is not None:
        yield from _estimate("difference", summary.difference)
    for one in summary.requirements:
        for end, number in (("", one.value), ("_low", one.low), ("_high", one.high)):
            if number is not None:
                yield f"requirement/{one.name}{end}", float(number)


def _estimate(name: str, found: Estimate) -> Iterator[tuple[str, float]]:
    """A number and the ends of its interval; nothing without data."""
    if found.value is not None:
        for end, number in (("", found.value), ("_low", found.low), ("_high", found.high)):
            yield f"{name}{end}", float(number)
