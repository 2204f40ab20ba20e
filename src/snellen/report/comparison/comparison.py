"""Two runs compared: the paired differences of two subjects on the same scenes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from snellen.disk.json_values import finite_or_none
from snellen.methods.requirements.checks.operating_points import OperatingPoint
from snellen.methods.requirements.comparison.clean_metrics import (
    MetricPair,
    clean_metrics,
    shortened,
)
from snellen.methods.requirements.comparison.loss_pairs import (
    ComparedRequirement,
    compared_requirement,
)
from snellen.methods.requirements.comparison.matched_thresholds import Match, operated, point_of
from snellen.methods.requirements.comparison.run_side import KINDS, Side, common_units, side_of
from snellen.methods.requirements.evidence.arms import MINIMAL
from snellen.methods.requirements.evidence.case_table import case_table
from snellen.methods.requirements.specification.requirement import Requirement
from snellen.report.comparison.cases import RatePair, SameCases, rate_pair, same_cases
from snellen.report.comparison.runs import differences, opened_pair
from snellen.statistics.bootstrap import scene_weights
from snellen.statistics.intervals import Array
from snellen.store.rates import REPLICATES


@dataclass(frozen=True)
class ComparedSubject:
    """One of the two subjects. score: what it is compared at. point: on unchanged scenes."""

    name: str
    fingerprint: str
    folder: Path
    score: float
    run_score: float
    point: OperatingPoint | None

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
    """What two runs say of their subjects; every difference is B's less A's.

    clean: metrics on unchanged scenes, by name; requirements: those of both runs; both empty where
    the method has none. warnings: what keeps the two from being compared fairly.
    """

    method: str
    subjects: tuple[ComparedSubject, ComparedSubject]
    scenes: int
    tests: RatePair
    controls: RatePair
    same: SameCases
    clean: Mapping[str, MetricPair]
    requirements: tuple[ComparedRequirement, ...]
    match: Match | None
    warnings: tuple[str, ...]

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
            "clean": {name: one.to_json() for name, one in self.clean.items()},
            "requirements": [one.to_json() for one in self.requirements],
            "warnings": list(self.warnings),
        }
        return dict(finite_or_none(values))


def compared(first: Path, second: Path, match: Match | None = None) -> Comparison:
    """The run folders `first` (A) and `second` (B), on the scenes that both examined.

    match: judge B at A's score threshold, or at the one that gives A's precision on unchanged
    scenes; None for each as it was run.
    """
    with opened_pair(first, second) as (run_a, run_b):
        scenes = sorted(run_a.scenes & run_b.scenes)
        a, as_run = side_of(run_a, scenes), side_of(run_b, scenes)
        b, told = operated(a, as_run, match)
        seed = run_a.journal.get("seed")
        weights = _weights(len(scenes), seed)
        clean, floors = _clean(a, b, seed)
        shared, unshared = _shared(a, b)
        return Comparison(
            run_a.method,
            (_subject(a, b), _subject(b, a)),
            len(scenes),
            rate_pair(a.rows, b.rows, scenes, weights),
            rate_pair(a.rows, b.rows, scenes, weights, controls=True),
            same_cases(a.rows, b.rows, scenes, np.random.default_rng(seed)),
            clean,
            _requirements(a, b, shared, seed),
            match,
            (*differences(run_a, run_b), *told, *floors, *unshared),
        )


def _subject(side: Side, other: Side) -> ComparedSubject:
    traits = side.run.subject
    return ComparedSubject(
        traits["name"],
        traits["fingerprint"],
        side.run.folder,
        side.score,
        traits["score"],
        point_of(side, other),
    )


def _clean(a: Side, b: Side, seed: int) -> tuple[dict[str, MetricPair], list[str]]:
    """Metrics on unchanged scenes, with a warning if answers were kept down to different scores."""
    units = common_units(a, b, "correctness") if a.requirements else []
    if not units:
        return {}, []
    stages = min(len(one.facts["subtasks"]) for one in (a, b))
    first, second = (shortened(one.evidence("correctness", units), stages) for one in (a, b))
    told = []
    if abs(a.floor - b.floor) > 0.01:
        told.append(
            f"answers of A were kept down to a score of {a.floor:.2g}, of B to {b.floor:.2g}; "
            "their average precisions are over different ranges. Run both with one `floor`"
        )
    return clean_metrics(first, second, _weights(len(units), seed)), told


def _weights(scenes: int, seed: int) -> Array:
    """As a run's own summary draws them, so that verdicts on the same scenes are the same."""
    return scene_weights(scenes, REPLICATES, np.random.default_rng(seed))


def _shared(a: Side, b: Side) -> tuple[list[Requirement], list[str]]:
    """The requirements that both runs check, and what is to be said of the others."""
    first, second = a.requirements, b.requirements
    same = [one for name, one in first.items() if name in second and _alike(one, second[name])]
    unlike = sorted((first.keys() | second.keys()) - {one.name for one in same})
    told = f"requirements that only one run has, or that differ: {', '.join(unlike)}"
    return same, [told] if unlike else []


def _alike(one: Requirement, other: Requirement) -> bool:
    beside = {"source", "naive", "shared_with"}
    return one.model_dump(exclude=beside) == other.model_dump(exclude=beside)


def _requirements(
    a: Side, b: Side, shared: Sequence[Requirement], seed: int
) -> tuple[ComparedRequirement, ...]:
    rng = np.random.default_rng(seed)
    minimal = float(a.facts.get("minimal", MINIMAL))
    found = []
    for kind in KINDS:
        chosen = [one for one in shared if one.kind == kind]
        units = common_units(a, b, kind) if chosen else []
        if units:
            tables = [case_table(one.evidence(kind, units)) for one in (a, b)]
            weights = _weights(len(units), seed)
            found += [
                compared_requirement(one, tables[0], tables[1], weights, minimal, rng)
                for one in chosen
            ]
    return tuple(found)
