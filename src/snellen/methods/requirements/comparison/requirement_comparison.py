"""Two runs of requirements compared: clean metrics, losses, and matched thresholds."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from snellen.methods.compared_number import ComparedNumber
from snellen.methods.requirements.comparison.clean_metrics import (
    MetricPair,
    clean_metrics,
    first_subtasks,
)
from snellen.methods.requirements.comparison.comparison_words import clean_lines, loss_lines
from snellen.methods.requirements.comparison.loss_pairs import (
    ComparedRequirement,
    compared_requirement,
)
from snellen.methods.requirements.comparison.matched_thresholds import match_thresholds, point_of
from snellen.methods.requirements.comparison.run_side import (
    KINDS,
    RequirementsSide,
    common_units,
    side_of,
)
from snellen.methods.requirements.evidence.arms import MINIMAL
from snellen.methods.requirements.evidence.case_table import case_table
from snellen.methods.requirements.specification.requirement import Requirement
from snellen.methods.run_comparison import (
    Match,
    Matched,
    OwnComparison,
    Point,
    RunComparison,
    RunSide,
)
from snellen.statistics.bootstrap import scene_weights
from snellen.store.compared_run import ComparedRun
from snellen.store.rates import REPLICATES
from snellen.vision.arrays import F64


@dataclass(frozen=True)
class ComparedRequirements(OwnComparison):
    """The comparison of the subjects of two runs.

    scenes: examined by both. clean: metrics on unchanged scenes, by name. requirements: those of
    both runs.
    """

    scenes: int
    clean: Mapping[str, MetricPair]
    requirements: tuple[ComparedRequirement, ...]
    warnings: tuple[str, ...]

    def to_json(self) -> dict[str, Any]:
        """Plain values."""
        return {
            "clean": {name: one.to_json() for name, one in self.clean.items()},
            "requirements": [one.to_json() for one in self.requirements],
        }

    def lines(self) -> list[str]:
        """Metrics, then losses."""
        return [*clean_lines(self.clean, self.scenes), *loss_lines(self.requirements)]

    def numbers(self) -> tuple[ComparedNumber, ...]:
        """Average precision, and the losses up to each requirement's own threshold."""
        clean = (one.number(f"{name} on unchanged scenes") for name, one in self.clean.items())
        losses = (pair.number(one.name) for one in self.requirements for pair in one.own_losses)
        return (*(one for one in clean if one is not None), *losses)


class RequirementComparison(RunComparison):
    """Clean metrics and losses of both; requirements are compared one by one.

    The files they were read from may differ.
    """

    ignored_options = frozenset({"file"})

    def side(self, run: ComparedRun, scenes: Sequence[str]) -> RequirementsSide:
        """A run at its own threshold, with its notes."""
        return side_of(run, scenes)

    def matched(self, a: RunSide, b: RunSide, match: Match | None) -> Matched:
        """B at A's threshold or at A's precision on unchanged scenes."""
        return match_thresholds(_side(a), _side(b), match)

    def point(self, side: RunSide, other: RunSide) -> Point | None:
        """Precision and recall on unchanged scenes that both examined."""
        return point_of(_side(side), _side(other))

    def own(self, a: RunSide, b: RunSide, scenes: int, seed: int) -> ComparedRequirements:
        """Metrics on unchanged scenes, and the requirements of both runs."""
        first, second = _side(a), _side(b)
        clean, floors = _clean(first, second, seed)
        shared, unshared = _shared(first, second)
        compared = _requirements(first, second, shared)
        return ComparedRequirements(scenes, clean, compared, (*floors, *unshared))


def _side(side: RunSide) -> RequirementsSide:
    assert isinstance(side, RequirementsSide)
    return side


def _clean(
    a: RequirementsSide, b: RequirementsSide, seed: int
) -> tuple[dict[str, MetricPair], list[str]]:
    """Metrics on unchanged scenes, with a warning if answers reach down to different scores."""
    units = common_units(a, b, "correctness") if a.requirements else []
    if not units:
        return {}, []
    stages = min(len(one.facts["subtasks"]) for one in (a, b))
    first, second = (first_subtasks(one.evidence("correctness", units), stages) for one in (a, b))
    warnings = []
    if abs(a.floor - b.floor) > 0.01:
        warnings.append(
            f"answers of A were recorded down to a score of {a.floor:.2g}, of B to {b.floor:.2g}; "
            "their average precisions cover different ranges. Run both with one `floor`"
        )
    return clean_metrics(first, second, _weights(len(units), seed)), warnings


def _weights(scenes: int, seed: int) -> F64:
    """The weights of a run's summary, so that verdicts on the same scenes agree."""
    return scene_weights(scenes, REPLICATES, np.random.default_rng(seed))


def _shared(a: RequirementsSide, b: RequirementsSide) -> tuple[list[Requirement], list[str]]:
    """The requirements that both runs check, and a warning about the others."""
    first, second = a.requirements, b.requirements
    same = [one for name, one in first.items() if name in second and _alike(one, second[name])]
    unlike = sorted((first.keys() | second.keys()) - {one.name for one in same})
    warning = f"requirements that only one run has, or that differ: {', '.join(unlike)}"
    return same, [warning] if unlike else []


def _alike(one: Requirement, other: Requirement) -> bool:
    ignored = {"source", "naive", "shared_with"}
    return one.model_dump(exclude=ignored) == other.model_dump(exclude=ignored)


def _requirements(
    a: RequirementsSide, b: RequirementsSide, shared: Sequence[Requirement]
) -> tuple[ComparedRequirement, ...]:
    minimal = float(a.facts.get("minimal", MINIMAL))
    found = []
    for kind in KINDS:
        chosen = [one for one in shared if one.kind == kind]
        units = common_units(a, b, kind) if chosen else []
        if units:
            tables = [case_table(one.evidence(kind, units)) for one in (a, b)]
            found += [compared_requirement(one, tables[0], tables[1], minimal) for one in chosen]
    return tuple(found)
