"""A method that puts the recorded cases of a run to a subject."""

from __future__ import annotations

import json
from collections.abc import Generator as Yielding
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, TypeAlias

from numpy.random import Generator

from snellen.changes.identity import Identity
from snellen.changes.recipe import Materials, Recipe
from snellen.changes.registry import recipe_from_json
from snellen.contract.method import Unit
from snellen.contract.questions import Answer, Question, Questions
from snellen.contract.verdict import Case, Status, Verdict
from snellen.methods.confirmation import RepeatCheck, confirmed, detections_in
from snellen.methods.insertion.method import InsertionMethod
from snellen.methods.robustness import stochastic_passes as sampling
from snellen.methods.robustness.base_instances import RobustnessScene
from snellen.methods.robustness.method import RobustnessMethod
from snellen.methods.robustness.options import Passes
from snellen.repair.evaluation.case_instance import (
    GONE,
    instance_measurements,
    matching_instance,
    name_of,
    place_of,
)
from snellen.repair.evaluation.instance_notes import replay_notes
from snellen.repair.evaluation.recorded_cases import RecordedCase, RecordedUnit
from snellen.scenes.scene import Scene
from snellen.vision.detections import Detections
from snellen.vision.uncertainty import Uncertainty

SCENE = "scene"
"""The role of the answer about the scene as it is, kept for every scene."""
OUTCOMES = ("recognised", "class_kept", "place_kept", "place_kept_75", "iou", "others_changed",
            "inserted_score", "inserted_missed")  # fmt: skip
Inserting: TypeAlias = RobustnessMethod | InsertionMethod
Places = dict[int, int | None]
"""Where instances are in the new answer, by their names; None for those that are gone."""


@dataclass(frozen=True, eq=False)
class ReplayMethod:
    """Asks every recorded test and control of each scene, and judges it by the new answers.

    method: as it was run, but with the subject that is asked now. recorded: units by id. score: the
    threshold of the subject that was asked first. how: where uncertainty came from.
    """

    method: Inserting
    recorded: Mapping[str, RecordedUnit]
    score: float
    how: Passes
    minimum: int = 1

    @property
    def materials(self) -> Materials:
        """The library that the recipes take their objects from."""
        return self.method.materials

    @property
    def facts(self) -> Mapping[str, Any]:
        """Those of the run."""
        return self.method.facts

    def units(self) -> Sequence[Unit]:
        """Every scene, also those without a case: what is seen in them counts for AP."""
        return self.method.units()

    def examine(self, unit: Unit, rng: Generator, allowance: int | None) -> Questions:
        """Ask about the scene and every recorded case of it; judge each as its method does."""
        scene = unit.scene
        old = self.recorded.get(unit.id) or RecordedUnit(Detections.empty(), (), {})
        first, *answers = yield [Question(scene, Identity()), *_questions(scene, old.cases)]
        now = detections_in(first)
        places = self._places(old, now)
        stage = self._stage(scene, now)
        unsure = yield from self._sampled(stage, places)
        cases = [
            self._judged(scene, old, one, (now, detections_in(answer)), places, unsure)
            for one, answer in zip(old.cases, answers, strict=True)
        ]
        if not self.method.setting.subject.deterministic:
            cases, _ = yield from confirmed(self._steady(scene, now), cases, None)
        notes = replay_notes(self.method, old.notes, cases, stage, places, unsure, rng)
        return Verdict((*cases, Case(Identity(), SCENE, Status.HOLDS, now)), notes)

    def _places(self, old: RecordedUnit, now: Detections) -> Places:
        found: Places = {}
        for case in old.cases:
            name, place = name_of(case.measurements), None
            if name is not None and name not in found:
                place = place_of(case.measurements, old.detections, self.score)
                found[name] = None if place is None else self._again(old.detections, place, now)
        return found

    def _again(self, seen: Detections, place: int, now: Detections) -> int | None:
        score, options = self.method.setting.subject.score, self.method.options
        return matching_instance(seen, place, now, score, options.iou)

    def _stage(self, scene: Scene, now: Detections) -> RobustnessScene:
        setting = self.method.setting
        subject, known = setting.subject, setting.scenes.classes
        return RobustnessScene(scene, now, subject.score, subject.classes, known)

    def _sampled(
        self, stage: RobustnessScene, places: Places
    ) -> Yielding[list[Question], Sequence[Answer], dict[int, Uncertainty]]:
        """The uncertainty of what the method calls objects, by index, where it was measured."""
        method, subject = self.method, self.method.setting.subject
        known = [place for place in places.values() if place is not None]
        draws = self.how != Passes.DROPOUT or sampling.draws(subject)
        if not (isinstance(method, RobustnessMethod) and known and draws):
            return {}
        count, classes = method.options.passes, len(subject.classes)
        found = yield from sampling.sample_uncertainty(
            stage.scene, stage.objects, self.how, count, classes
        )
        return {} if found is None else dict(zip(stage.indices.tolist(), found, strict=True))

    def _judged(
        self,
        scene: Scene,
        old: RecordedUnit,
        one: RecordedCase,
        said: tuple[Detections, Detections],
        places: Places,
        unsure: Mapping[int, Uncertainty],
    ) -> Case:
        told = dict(one.measurements)
        case = Case(recipe_of(one), one.role, Status(one.status), said[1], old.detections,
                    measurements=told)  # fmt: skip
        judged = self.method.judged_again(case, scene, *said)
        name = name_of(told)
        if name is None:
            return replace(judged, measurements={**told, **judged.measurements})
        place = places[name]
        now = instance_measurements(told, place, said[0], self.method.setting.subject.score)
        first = place_of(told, old.detections, self.score)
        label = {} if first is None else {"base_label": float(old.detections.labels[first])}
        told |= {**judged.measurements, **now, **label}
        measured = {**told, **_of(said[0], place, unsure)}
        if measured[GONE]:
            measured = {key: value for key, value in measured.items() if key not in OUTCOMES}
        return replace(judged, measurements=measured)

    def _steady(self, scene: Scene, now: Detections) -> RepeatCheck:
        options, score = self.method.options, self.method.setting.subject.score
        return RepeatCheck(
            scene, now, options.confirmations, score, options.iou, options.hysteresis
        )


def recipe_of(case: RecordedCase) -> Recipe:
    """The recipe of a recorded case."""
    return recipe_from_json(json.loads(case.recipe))


def _questions(scene: Scene, cases: Sequence[RecordedCase]) -> list[Question]:
    """A control that repeats the scene bypasses the cache, since a stored answer shows nothing."""
    return [
        Question(scene, recipe, repeat=turn if isinstance(recipe, Identity) else 0)
        for turn, recipe in enumerate(map(recipe_of, cases), 1)
    ]


def _of(now: Detections, place: int | None, unsure: Mapping[int, Uncertainty]) -> dict[str, float]:
    """What is known of an instance in the new answer."""
    if place is None:
        return {}
    told = {"base_score": round(float(now.scores[place]), 4)}
    if place in unsure:
        parts = {f"base_{key}": round(x, 4) for key, x in unsure[place].to_json().items()}
        told |= {"base_uncertainty": parts.pop("base_total"), **parts}
    return told
