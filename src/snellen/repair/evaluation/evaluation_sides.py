"""One subject on the cases of a run: failing tests, undetected instances, answers.

A side is the run itself or a replay of it; both have the same cases.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, Protocol

from snellen.contract.instances import GONE, LABEL
from snellen.contract.repairs import Repairs
from snellen.contract.verdict import CHANCE, TEST
from snellen.errors import UserError
from snellen.repair.evaluation.recorded_cases import (
    RecordedCase,
    detections_at,
    notes_of,
    recorded_cases,
)
from snellen.repair.evaluation.run_replay import REPLAY
from snellen.repair.repair_ability import repairs_of
from snellen.store.journal import Journal, journal_of
from snellen.vision.detections import Detections

Key = tuple[str, str, str, int]
"""A case: its unit's id, its role, its recipe as JSON, and its number among equal ones."""
Instance = tuple[str, int]
"""An instance: its unit's id, and its index in the original run."""


@dataclass(frozen=True)
class CaseOutcome:
    """The outcome of a case for one subject. level: 1 is the nearest, 0 for none.

    name: the class of the instance, "" without an instance. failing: the relation was violated.
    undetected: the subject does not detect the instance in the unchanged scene. weight: the cases
    that it stands for, one over the chance with which it was drawn.
    """

    scene: str
    case: str
    instance: Instance | None
    level: int
    name: str
    failing: bool
    undetected: bool
    weight: float = 1.0

    @property
    def failed(self) -> bool:
        """Whether it fails in the strict sense: an undetected instance counts as failing."""
        return self.failing or self.undetected


class SceneAnswers(Protocol):
    """The answers of a subject on unchanged scenes; see `EvaluationSide`."""

    @property
    def subject(self) -> Mapping[str, Any]:
        """The subject's traits."""

    @property
    def scenes(self) -> Mapping[str, str]:
        """The scene of each unit, by the unit's id."""

    def answers(self) -> Mapping[str, Detections]:
        """The detections in each unchanged scene, by the unit's id."""


@dataclass(frozen=True, eq=False)
class EvaluationSide:
    """The journal of a run or replay as one side of a comparison."""

    folder: Path
    journal: Journal

    @cached_property
    def subject(self) -> Mapping[str, Any]:
        """The subject's traits."""
        return dict(self.journal.get("subject"))

    @cached_property
    def repairs(self) -> Repairs:
        """What the run's method offers to repair."""
        return repairs_of(self.journal.get("method"), self.folder)

    @property
    def origin(self) -> tuple[str, str]:
        """The original run: the digest of its configuration, and its subject's fingerprint."""
        found = self.journal.get(REPLAY)
        if found is not None:
            return str(found["of"]), str(found["by"])
        return str(self.journal.get("campaign")), str(self.subject["fingerprint"])

    @cached_property
    def scenes(self) -> dict[str, str]:
        """The scene of each finished unit, by the unit's id, in the run's order."""
        query = "SELECT id, scene FROM units WHERE status = 'done' ORDER BY number"
        return dict(self.journal.rows(query))

    @property
    def errors(self) -> int:
        """The number of units that ended in an error."""
        [(count,)] = self.journal.rows("SELECT count(*) FROM units WHERE status = 'error'")
        return int(count)

    @cached_property
    def cases(self) -> dict[Key, CaseOutcome]:
        """Every test and control."""
        counts: Counter[tuple[str, str, str]] = Counter()
        found: dict[Key, CaseOutcome] = {}
        for case in recorded_cases(self.journal):
            kind = (case.unit, case.role, case.recipe)
            found[(*kind, counts[kind])] = self._outcome(case)
            counts[kind] += 1
        return found

    def tests(self) -> dict[Key, CaseOutcome]:
        """The tests."""
        return {key: one for key, one in self.cases.items() if key[1] == TEST}

    def controls(self) -> dict[Key, CaseOutcome]:
        """The controls."""
        return {key: one for key, one in self.cases.items() if key[1] != TEST}

    def _outcome(self, case: RecordedCase) -> CaseOutcome:
        measured, key = case.measurements, self.repairs.instances
        number = None if key is None else key.number(measured)
        return CaseOutcome(
            case.scene,
            case.id,
            None if number is None else (case.unit, number),
            int(measured.get("level", 0)),
            self._class(case),
            case.status == "failing",
            bool(measured.get(GONE, 0.0)),
            1 / measured.get(CHANCE, 1.0),
        )

    def _class(self, case: RecordedCase) -> str:
        measured, classes = case.measurements, self.subject["classes"]
        if LABEL in measured:
            return str(classes[int(measured[LABEL])])
        key = self.repairs.instances
        if case.before is None or key is None:
            return ""
        detections = self._prediction(case.before)
        index = key.index(measured, detections, self.subject["score"])
        return "" if index is None else str(classes[int(detections.labels[index])])

    @cached_property
    def _predictions(self) -> dict[int, Detections]:
        return {}

    def _prediction(self, number: int) -> Detections:
        if number not in self._predictions:
            self._predictions[number] = detections_at(self.journal, number)
        return self._predictions[number]

    def answers(self) -> dict[str, Detections]:
        """The detections in each unchanged scene; of a run, only in scenes with cases."""
        rows = self.journal.rows(
            "SELECT units.id, max(coalesce(cases.before, CASE role WHEN 'scene' THEN after END)) "
            "FROM cases JOIN units ON units.number = cases.unit GROUP BY units.id"
        )
        return {unit: self._prediction(number) for unit, number in rows if number is not None}

    def uncertainties(self) -> dict[Instance, float]:
        """The total uncertainty of each instance, where it was measured."""
        return {
            (unit, number): total
            for unit, notes in notes_of(self.journal).items()
            for number, total in self.repairs.noted_uncertainties(notes).items()
        }

    def inserted(self) -> frozenset[str]:
        """The ids of all inserted objects, controls excepted."""
        rows = self.journal.rows(
            "SELECT DISTINCT recipe FROM cases WHERE role IN ('test', 'relocation')"
        )
        recipes = (json.loads(text) for (text,) in rows)
        return frozenset(one["object"] for one in recipes if one["kind"] == "insert")


@contextmanager
def opened_sides(before: Path, after: Path) -> Iterator[tuple[EvaluationSide, EvaluationSide]]:
    """Both sides, which must have the cases of the same run."""
    with closing(journal_of(before)) as first, closing(journal_of(after)) as second:
        sides = EvaluationSide(before, first), EvaluationSide(after, second)
        if sides[0].origin != sides[1].origin:
            raise UserError(
                f"{after}: does not have the same cases as {before}; a repair is evaluated on the "
                "same tests. Replay the first run with the repaired subject "
                "(snellen.repair.evaluation.run_replay.replay_run), and pass that folder."
            )
        yield sides
