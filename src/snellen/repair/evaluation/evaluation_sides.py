"""One subject on the cases of a run: which tests it fails, which instances are gone, what it sees.

The side may be the run itself or a replay of it; both have the same cases.
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

from snellen.contract.verdict import TEST
from snellen.errors import UserError
from snellen.repair.evaluation.case_instance import BASE, GONE, WAS, name_of, place_of
from snellen.repair.evaluation.recorded_cases import (
    RecordedCase,
    detections_at,
    notes_of,
    recorded_cases,
)
from snellen.repair.evaluation.run_replay import REPLAY
from snellen.store.journal import Journal, journal_of
from snellen.vision.detections import Detections

Key = tuple[str, str, str, int]
"""A case: its unit's id, its role, its recipe as JSON, and how many equal ones came before."""
Instance = tuple[str, int]
"""An instance: its unit's id, and its place in the run where the cases were made."""


@dataclass(frozen=True)
class CaseOutcome:
    """A case as one subject did in it. level: 1 the nearest, 0 where there are none.

    name: the class of the instance, "" where a case has no instance. failing: the relation broke.
    gone: the subject does not find the instance on the scene as it is.
    """

    scene: str
    case: str
    instance: Instance | None
    level: int
    name: str
    failing: bool
    gone: bool

    @property
    def broken(self) -> bool:
        """Failing in the strict sense: what is not even found unchanged is no success."""
        return self.failing or self.gone


class SceneAnswers(Protocol):
    """What a subject sees in scenes as they are; see `EvaluationSide`."""

    @property
    def subject(self) -> Mapping[str, Any]:
        """The subject's traits."""

    @property
    def scenes(self) -> Mapping[str, str]:
        """The scene of each unit, by the unit's id."""

    def answers(self) -> Mapping[str, Detections]:
        """What it sees in each scene, by the unit's id."""


@dataclass(frozen=True, eq=False)
class EvaluationSide:
    """A journal of a run or of a replay, read as one side of a comparison."""

    folder: Path
    journal: Journal

    @cached_property
    def subject(self) -> Mapping[str, Any]:
        """The subject's traits."""
        return dict(self.journal.get("subject"))

    @property
    def origin(self) -> tuple[str, str]:
        """The run whose cases these are: digest of its configuration, and who was asked there."""
        found = self.journal.get(REPLAY)
        if found is not None:
            return str(found["of"]), str(found["by"])
        return str(self.journal.get("campaign")), str(self.subject["fingerprint"])

    @cached_property
    def scenes(self) -> dict[str, str]:
        """The scene of each unit that ended well, by the unit's id, in the run's order."""
        query = "SELECT id, scene FROM units WHERE status = 'done' ORDER BY number"
        return dict(self.journal.rows(query))

    @property
    def errors(self) -> int:
        """How many units have no verdict."""
        [(count,)] = self.journal.rows("SELECT count(*) FROM units WHERE status = 'error'")
        return int(count)

    @cached_property
    def cases(self) -> dict[Key, CaseOutcome]:
        """Every test and control."""
        seen: Counter[tuple[str, str, str]] = Counter()
        found: dict[Key, CaseOutcome] = {}
        for case in recorded_cases(self.journal):
            kind = (case.unit, case.role, case.recipe)
            found[(*kind, seen[kind])] = self._tested(case)
            seen[kind] += 1
        return found

    def tests(self) -> dict[Key, CaseOutcome]:
        """Those that may fail."""
        return {key: one for key, one in self.cases.items() if key[1] == TEST}

    def controls(self) -> dict[Key, CaseOutcome]:
        """Those that must not fail."""
        return {key: one for key, one in self.cases.items() if key[1] != TEST}

    def _tested(self, case: RecordedCase) -> CaseOutcome:
        told = case.measurements
        name = name_of(told)
        return CaseOutcome(
            case.scene,
            case.id,
            None if name is None else (case.unit, name),
            int(told.get("level", 0)),
            self._class(case),
            case.status == "failing",
            bool(told.get(GONE, 0.0)),
        )

    def _class(self, case: RecordedCase) -> str:
        told, classes = case.measurements, self.subject["classes"]
        if "base_label" in told:
            return str(classes[int(told["base_label"])])
        if case.before is None:
            return ""
        seen = self._prediction(case.before)
        place = place_of(told, seen, self.subject["score"])
        return "" if place is None else str(classes[int(seen.labels[place])])

    @cached_property
    def _known(self) -> dict[int, Detections]:
        return {}

    def _prediction(self, number: int) -> Detections:
        if number not in self._known:
            self._known[number] = detections_at(self.journal, number)
        return self._known[number]

    def answers(self) -> dict[str, Detections]:
        """What the subject sees in each scene as it is; of a run, only of scenes with cases."""
        rows = self.journal.rows(
            "SELECT units.id, max(coalesce(cases.before, CASE role WHEN 'scene' THEN after END)) "
            "FROM cases JOIN units ON units.number = cases.unit GROUP BY units.id"
        )
        return {unit: self._prediction(number) for unit, number in rows if number is not None}

    def uncertainties(self) -> dict[Instance, float]:
        """The total uncertainty of each instance for which it was measured."""
        found: dict[Instance, float] = {}
        for unit, notes in notes_of(self.journal).items():
            for one in notes.get("instances", ()):
                if one.get("uncertainty") is not None:
                    name = one.get(WAS, one[BASE])
                    found[unit, int(name)] = float(one["uncertainty"]["total"])
        return found

    def inserted(self) -> frozenset[str]:
        """The ids of all objects that were put into scenes, in whatever role."""
        rows = self.journal.rows("SELECT DISTINCT recipe FROM cases WHERE role NOT LIKE 'control%'")
        recipes = (json.loads(text) for (text,) in rows)
        return frozenset(one["object"] for one in recipes if one["kind"] == "insert")


@contextmanager
def opened_sides(before: Path, after: Path) -> Iterator[tuple[EvaluationSide, EvaluationSide]]:
    """Both sides, which must have the cases of one run."""
    with closing(journal_of(before)) as first, closing(journal_of(after)) as second:
        sides = EvaluationSide(before, first), EvaluationSide(after, second)
        if sides[0].origin != sides[1].origin:
            raise UserError(
                f"{after}: has not the same cases as {before}: a repair is judged by the same "
                "tests, put twice. Replay the first run with the repaired subject "
                "(snellen.repair.evaluation.run_replay.replay_run), and give that folder."
            )
        yield sides
