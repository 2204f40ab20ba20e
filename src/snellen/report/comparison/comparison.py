"""Two runs compared: the paired differences of two subjects on the same scenes."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from snellen.disk.json_values import finite_or_none
from snellen.methods.compared_number import ComparedNumber
from snellen.methods.kind import view_of
from snellen.methods.run_comparison import Match, OwnComparison, Point, RunComparison, RunSide
from snellen.report.comparison.cases import RatePair, SameCases, rate_pair, same_cases
from snellen.report.comparison.fault_changes import FaultChanges, changed_faults, faulty_scenes
from snellen.report.comparison.runs import differences, opened_pair
from snellen.store.faults import faults


@dataclass(frozen=True)
class ComparedSubject:
    """One of the two subjects. score: the threshold compared at. point: on unchanged scenes."""

    name: str
    fingerprint: str
    folder: Path
    score: float
    run_score: float
    point: Point | None

    def to_json(self) -> dict[str, Any]:
        """Plain values."""
        return {
            "name": self.name,
            "fingerprint": self.fingerprint,
            "folder": str(self.folder),
            "score": self.score,
            "run_score": self.run_score,
            "operating_point": None if self.point is None else self.point.to_json(),
        }


@dataclass(frozen=True)
class Comparison:
    """The comparison of two runs; every difference is B's minus A's.

    faulty: scenes with a fault. own: what the method adds. warnings: what makes it unfair.
    """

    method: str
    subjects: tuple[ComparedSubject, ComparedSubject]
    scenes: int
    tests: RatePair
    controls: RatePair
    same: SameCases
    faults: FaultChanges
    faulty: RatePair
    own: OwnComparison
    match: Match | None
    warnings: tuple[str, ...]

    def numbers(self) -> tuple[ComparedNumber, ...]:
        """What a gate decides on: failures, scenes with a fault, and what the method adds."""
        rates = {"failure rate": self.tests, "scenes with a fault": self.faulty}
        common = (
            ComparedNumber.of(name, one.a.value, one.b.value, self.scenes, one.evidence)
            for name, one in rates.items()
        )
        return (*common, *self.own.numbers())

    def to_json(self) -> dict[str, Any]:
        """Plain values."""
        a, b = self.subjects
        values = {
            "method": self.method,
            "a": a.to_json(),
            "b": b.to_json(),
            "scenes": self.scenes,
            "match": self.match,
            "failure_rate": self.tests.to_json(),
            "control_rate": self.controls.to_json(),
            "same_cases": self.same.to_json(),
            "faults": self.faults.to_json(),
            "faulty_scenes": self.faulty.to_json(),
            **self.own.to_json(),
            "warnings": list(self.warnings),
        }
        return dict(finite_or_none(values))


def compared(first: Path, second: Path, match: Match | None = None) -> Comparison:
    """The run folders `first` (A) and `second` (B), on the scenes that both examined.

    match: judge B at A's score threshold, or at the one that gives A's precision on unchanged
    scenes; None for the thresholds of the runs.
    """
    with opened_pair(first, second) as (run_a, run_b):
        scenes = sorted(run_a.scenes & run_b.scenes)
        by = view_of(run_a.method).comparison
        a = by.side(run_a, scenes)
        b, match_warnings = by.matched(a, by.side(run_b, scenes), match)
        seed = run_a.journal.get("seed")
        own = by.own(a, b, len(scenes), seed)
        unlike = differences(run_a, run_b, by.ignored_options)
        found = faults(run_a.journal), faults(run_b.journal)
        return Comparison(
            run_a.method,
            (_subject(by, a, b), _subject(by, b, a)),
            len(scenes),
            rate_pair(a.rows, b.rows, scenes),
            rate_pair(a.rows, b.rows, scenes, controls=True),
            same_cases(a.rows, b.rows, scenes),
            changed_faults(*found, scenes),
            faulty_scenes(*found, scenes),
            own,
            match,
            (*unlike, *match_warnings, *own.warnings),
        )


def _subject(by: RunComparison, side: RunSide, other: RunSide) -> ComparedSubject:
    traits = side.run.subject
    return ComparedSubject(
        traits["name"],
        traits["fingerprint"],
        side.run.folder,
        side.score,
        traits["score"],
        by.point(side, other),
    )
