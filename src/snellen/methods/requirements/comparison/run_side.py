"""One run in a comparison: its cases and evidence on common scenes, at one threshold."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from snellen.methods.requirements.comparison.rescored_run import rescored
from snellen.methods.requirements.evidence.run_evidence import RunEvidence, evidence
from snellen.methods.requirements.specification.requirement import Requirement
from snellen.methods.run_comparison import RunSide
from snellen.store.case_rows import case_rows
from snellen.store.compared_run import ComparedRun

KINDS = ("correctness", "preservation")


@dataclass(frozen=True, eq=False)
class RequirementsSide(RunSide):
    """A run at a score threshold. rows: its cases on the common scenes. notes: by unit."""

    notes: Mapping[str, Mapping[str, Any]]

    @property
    def facts(self) -> Mapping[str, Any]:
        """The facts recorded before the run."""
        return self.run.journal.get("facts") or {}

    @property
    def requirements(self) -> dict[str, Requirement]:
        """By name."""
        found = self.facts.get("requirements", ())
        return {one["name"]: Requirement.model_validate(one) for one in found}

    def evidence(self, kind: str, units: Sequence[str]) -> RunEvidence:
        """The cases of some units, which must have outcomes of the kind."""
        traits = self.run.subject
        notes = [self.notes[unit] for unit in units]
        return evidence(notes, kind, self.facts["subtasks"], self.score, traits["classes"])

    def units(self, kind: str) -> list[str]:
        """Ids of the units that have outcomes of a kind, in the method's order."""
        return [
            unit
            for unit, notes in self.notes.items()
            if any(case.get(kind) is not None for case in notes.get("cases", ()))
        ]

    @property
    def floor(self) -> float:
        """The lowest recorded score; 0 if the subject has no floor."""
        given = self.run.config["subject"].get("floor")
        return 0.0 if given is None else min(float(given), float(self.run.subject["score"]))

    def at(self, score: float) -> RequirementsSide:
        """The same run judged at another threshold."""
        if score == self.score:
            return self
        return RequirementsSide(self.run, score, *rescored(self.run, self.rows, score))


def side_of(run: ComparedRun, scenes: Sequence[str]) -> RequirementsSide:
    """A run at its own threshold."""
    return RequirementsSide(run, run.subject["score"], case_rows(run.journal, scenes), run.notes)


def common_units(a: RequirementsSide, b: RequirementsSide, kind: str) -> list[str]:
    """Units with outcomes of a kind on both sides, in A's order."""
    others = set(b.units(kind))
    return [unit for unit in a.units(kind) if unit in others]
