"""A method that puts the recorded cases of a run to a subject."""

from __future__ import annotations

import json
from collections.abc import Generator as Yielding
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from numpy.random import Generator

from snellen.changes.identity import Identity
from snellen.changes.recipe import Materials, Recipe
from snellen.changes.registry import recipe_from_json
from snellen.contract.asked import Asked
from snellen.contract.explanation import Explanation
from snellen.contract.instances import GONE, LABEL, SCORE, uncertainty_measurements
from snellen.contract.method import Method, Unit
from snellen.contract.questions import Answer, Question, Questions, detections_in
from snellen.contract.repairs import Repairs, ReplayedUnit
from snellen.contract.verdict import Case, Status, Verdict
from snellen.repair.evaluation.recorded_cases import RecordedCase, RecordedUnit
from snellen.scenes.scene import Scene
from snellen.subjects.subject import Subject
from snellen.vision.boxes.matching_detection import matching_detection
from snellen.vision.detections import Detections
from snellen.vision.uncertainty import Uncertainty

SCENE = "scene"
"""The role of the answer on the unchanged scene, recorded for every scene."""
Instances = dict[int, int | None]
"""The index of instances in the new answer, by their number; None if not detected."""


@dataclass(frozen=True, eq=False)
class ReplayMethod(Method):
    """Puts every recorded test and control to a subject, and judges the new answers.

    method: of the run, with the new `subject`. recorded: units by id. score: the threshold of the
    run's subject. measured: whether to measure uncertainty, if the run did.
    """

    method: Method
    repairs: Repairs
    subject: Subject
    recorded: Mapping[str, RecordedUnit]
    score: float
    measured: bool = True

    @property
    def materials(self) -> Materials:
        """The library of the recipes' objects."""
        return self.method.materials

    @property
    def facts(self) -> Mapping[str, Any]:
        """The facts of the run."""
        return self.method.facts

    @property
    def confirmations(self) -> int:
        """As often as the run's own method asks again."""
        return self.method.confirmations

    def units(self) -> Sequence[Unit]:
        """Every scene, also those without a case: what is seen in them counts for AP."""
        return self.method.units()

    def examine(self, unit: Unit, rng: Generator) -> Questions:
        """Ask about the scene and every recorded case of it; judge each as its method does."""
        scene = unit.scene
        old = self.recorded.get(unit.id) or RecordedUnit(Detections.empty(), (), {})
        first, *answers = yield [Question(scene, Identity()), *_questions(scene, old.cases)]
        now = detections_in(first)
        instances = self._instances(old, now)
        unsure = yield from self._uncertainties(scene, now, instances)
        new = ReplayedUnit(scene, now, instances, unsure, old.notes)
        cases = [
            self._judged(old, new, one, detections_in(answer))
            for one, answer in zip(old.cases, answers, strict=True)
        ]
        conclude = partial(self._concluded, new, rng)
        seen = Case(Identity(), SCENE, Status.HOLDS, now)
        return Verdict((*cases, seen), conclude=conclude)

    def judge(self, asked: Asked) -> Case:
        """As the method of the run judges it."""
        return self.method.judge(asked)

    def _concluded(
        self,
        unit: ReplayedUnit,
        rng: Generator,
        cases: Sequence[Case],
        explanations: Mapping[int, Explanation],
    ) -> Verdict:
        own = [case for case in cases if case.role != SCENE]
        return Verdict(tuple(cases), self.repairs.replay_notes(self.method, unit, own, rng))

    def _instances(self, old: RecordedUnit, now: Detections) -> Instances:
        key, found = self.repairs.instances, Instances()
        if key is None:
            return found
        for case in old.cases:
            number = key.number(case.measurements)
            if number is not None and number not in found:
                index = key.index(case.measurements, old.detections, self.score)
                found[number] = None if index is None else self._again(old.detections, index, now)
        return found

    def _again(self, seen: Detections, index: int, now: Detections) -> int | None:
        overlap = self.repairs.matching_iou(self.method)
        return matching_detection(seen, index, now, score=self.subject.score, overlap=overlap)

    def _uncertainties(
        self, scene: Scene, now: Detections, instances: Instances
    ) -> Yielding[list[Question], Sequence[Answer], Mapping[int, Uncertainty]]:
        """Uncertainties by index in the new answer; empty if not measured."""
        if not self.measured or all(index is None for index in instances.values()):
            return {}
        return (yield from self.repairs.uncertainties(self.method, scene, now))

    def _judged(
        self, old: RecordedUnit, new: ReplayedUnit, one: RecordedCase, after: Detections
    ) -> Case:
        old_values, now = dict(one.measurements), new.detections
        case = Case(recipe_of(one), one.role, Status(one.status), after, old.detections,
                    measurements=old_values)  # fmt: skip
        judged = self.judge(Asked.again(case, new.scene, after, now))
        key = self.repairs.instances
        number = None if key is None else key.number(old_values)
        if key is None or number is None:
            return replace(judged, measurements={**old_values, **judged.measurements})
        index = new.instances[number]
        first = key.index(old_values, old.detections, self.score)
        label = {} if first is None else {LABEL: float(old.detections.labels[first])}
        name = key.measurements(old_values, index, now, self.subject.score)
        measured = {**old_values, **judged.measurements, **name, **label, **_of(new, index)}
        if measured[GONE]:
            excluded = self.repairs.outcomes
            measured = {name: value for name, value in measured.items() if name not in excluded}
        return replace(judged, measurements=measured)


def recipe_of(case: RecordedCase) -> Recipe:
    """The recipe of a recorded case."""
    return recipe_from_json(json.loads(case.recipe))


def _questions(scene: Scene, cases: Sequence[RecordedCase]) -> list[Question]:
    """A control that repeats the scene bypasses the cache, since a stored answer shows nothing."""
    return [
        Question(scene, recipe, repeat=turn if isinstance(recipe, Identity) else 0)
        for turn, recipe in enumerate(map(recipe_of, cases), 1)
    ]


def _of(unit: ReplayedUnit, index: int | None) -> dict[str, float]:
    """The score and uncertainty of an instance in the new answer."""
    if index is None:
        return {}
    found = {SCORE: round(float(unit.detections.scores[index]), 4)}
    if index in unit.uncertainties:
        found |= uncertainty_measurements(unit.uncertainties[index])
    return found
