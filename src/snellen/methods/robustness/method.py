"""Robustness: how often a base instance is lost when something comes near, and how near."""

from __future__ import annotations

from collections.abc import Generator as Yielding
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from math import ceil
from typing import Any

from numpy.random import Generator

from snellen.changes.identity import Identity
from snellen.changes.recipe import Materials
from snellen.contract.method import Setting, Unit
from snellen.contract.questions import Answer, Question, Questions
from snellen.contract.verdict import TEST, Case, Verdict
from snellen.methods.confirmation import confirmed, detections_in
from snellen.methods.free_places import pasted_box
from snellen.methods.kind import MethodKind
from snellen.methods.paste_controls import PasteControl, SceneObstacles, paste_controls
from snellen.methods.robustness import base_contours as outlines
from snellen.methods.robustness import stochastic_passes as sampling
from snellen.methods.robustness.base_contours import BaseContour
from snellen.methods.robustness.base_instances import BaseInstance, RobustnessScene
from snellen.methods.robustness.case_measurements import (
    case_measurements,
    object_notes,
    uncertainty_of,
)
from snellen.methods.robustness.insertions.level_plan import LevelInsertion, affordable, plan_levels
from snellen.methods.robustness.insertions.object_choice import (
    HashedLibrary,
    alone_questions,
    choose_objects,
)
from snellen.methods.robustness.instance_results import InstanceResult, instance_note
from snellen.methods.robustness.options import Contour, Passes, RobustnessOptions
from snellen.methods.robustness.prerequisites import check_subject, opened_library
from snellen.methods.robustness.rejudging import rejudge
from snellen.methods.robustness.relation import RobustnessRelation
from snellen.objects.label_names import plain_name
from snellen.objects.library.library import Library, ids_digest
from snellen.scenes.scene import Scene
from snellen.subjects.subject import Prediction
from snellen.vision.detections import Detections
from snellen.vision.uncertainty import Uncertainty

FIRST_SHARE = 0.7
"""The part of a budget for tests where findings have to be confirmed."""


@dataclass(frozen=True, eq=False)
class RobustnessMethod:
    """Wang et al.'s method, for each base instance by itself, with controls and intervals."""

    options: RobustnessOptions
    setting: Setting
    library: Library
    shelf: HashedLibrary = field(init=False)

    def __post_init__(self) -> None:
        names = enumerate(self.setting.subject.classes)
        ids = {plain_name(name): label for label, name in names}
        object.__setattr__(self, "shelf", HashedLibrary(self.library, ids))

    @property
    def minimum(self) -> int:
        """A scene's answer, its passes and masks, and one base instance, tested at each level."""
        needed = alone_questions(self.options, self._how())
        needed += ceil(len(self.options.levels) * (1 + self.options.controls))
        if not self.setting.subject.deterministic:
            needed = ceil(needed / FIRST_SHARE)
        return self._overhead() + needed

    @property
    def materials(self) -> Materials:
        """The library that recipes take their objects from."""
        return {"objects": self.library}

    @property
    def facts(self) -> Mapping[str, Any]:
        """Which objects there are, and what `auto` came to."""
        return {
            "objects": {"digest": ids_digest(self.library)},
            "robustness": {
                "contour": str(self._contour()),
                "uncertainty": str(self._how()),
                "levels": list(self.options.shares),
                "tests_per_level": self.options.tests_per_level,
            },
        }

    def units(self) -> Sequence[Unit]:
        """Every scene."""
        return [Unit(scene.id, scene) for scene in self.setting.scenes]

    def examine(self, unit: Unit, rng: Generator, allowance: int | None) -> Questions:
        """Find base instances, their contours and uncertainty; insert around each, and judge."""
        scene, subject, options = unit.scene, self.setting.subject, self.options
        [first] = yield [Question(scene, Identity())]
        stage = self._stage(scene, detections_in(first))
        bases = stage.bases(options.score, options.per_scene, rng)
        alone = alone_questions(options, self._how())
        left = None if allowance is None else allowance - self._overhead()
        room = left if left is None or subject.deterministic else int(FIRST_SHARE * left)
        some, count = affordable(len(bases), room, options, alone)
        if some == 0:
            return Verdict((), {"objects": object_notes(stage, None), "instances": []})
        unsure = yield from sampling.sample_uncertainty(
            scene, stage.objects, self._how(), options.passes, len(subject.classes)
        )
        edges = yield from outlines.base_contours(stage, bases[:some], options, subject)
        found, tests = yield from self._planned(stage, edges, unsure, count, rng)
        spare = None if room is None else room - some * alone - len(tests)
        checks = self._controls(stage, tests, spare, rng)
        cases = yield from self._asked(RobustnessRelation(options, stage), tests, checks, unsure)
        if not subject.deterministic:
            spent = some * alone + len(tests) + len(checks)
            rest = None if left is None else left - spent
            cases, _ = yield from confirmed(
                RobustnessRelation(options, stage).steady(), cases, rest
            )
        own = {one.base.index: [c for c, t in zip(cases, tests, strict=False) if t.base is one.base]
               for one in found}  # fmt: skip
        notes = [instance_note(one, own[one.base.index], options, rng) for one in found]
        return Verdict(tuple(cases), {"objects": object_notes(stage, unsure), "instances": notes})

    def _planned(
        self,
        stage: RobustnessScene,
        edges: Sequence[tuple[BaseInstance, BaseContour]],
        unsure: list[Uncertainty] | None,
        count: int,
        rng: Generator,
    ) -> Yielding[
        list[Question], Sequence[Answer], tuple[list[InstanceResult], list[LevelInsertion]]
    ]:
        """What is known of each base instance, and `count` tests of it at each level."""
        found: list[InstanceResult] = []
        tests: list[LevelInsertion] = []
        for base, edge in edges:
            chosen = yield from choose_objects(
                self.shelf, stage, base, edge, self.options, self._how(), rng
            )
            tests += plan_levels(base, edge, chosen, self.options, count, rng)
            found.append(
                InstanceResult(
                    base,
                    edge,
                    uncertainty_of(unsure, stage, base.index),
                    stage.truth_iou(base.box, base.label),
                    max((one.around.start for one in chosen), default=None),
                    min((one.around.reach for one in chosen), default=None),
                    "" if chosen else "no room near by, or no object fits",
                )
            )
        return found, tests

    def judged_again(self, case: Case, of: Scene, scene: Prediction, answer: Prediction) -> Case:
        """The case as it is judged by what the subject says now."""
        assert isinstance(scene, Detections)
        assert isinstance(answer, Detections)
        judge = RobustnessRelation(self.options, self._stage(of, scene))
        return rejudge(judge, case, self.shelf, answer)

    def _stage(self, scene: Scene, before: Detections) -> RobustnessScene:
        subject = self.setting.subject
        known = self.setting.scenes.classes
        return RobustnessScene(scene, before, subject.score, subject.classes, known)

    def _contour(self) -> Contour:
        return outlines.resolve_contour(self.options.contour, self.setting.subject)

    def _how(self) -> Passes:
        return sampling.resolve_passes(self.options.uncertainty, self.setting.subject)

    def _overhead(self) -> int:
        """Questions of a scene before the first test."""
        masks = self.options.saliency.masks if self._contour() == Contour.SALIENCY else 0
        return 1 + masks + (self.options.passes if self._how() != Passes.NONE else 0)

    def _controls(
        self, stage: RobustnessScene, tests: list[LevelInsertion], spare: int | None, rng: Generator
    ) -> list[PasteControl]:
        wanted = len(tests) * self.options.controls
        count = int(wanted) + int(rng.random() < wanted - int(wanted))
        if spare is not None:
            count = min(count, max(0, spare))
        around = SceneObstacles(stage.scene, stage.objects.boxes, stage.obstacles)
        return paste_controls(around, [test.recipe for test in tests], count, rng)

    def _asked(
        self,
        judge: RobustnessRelation,
        tests: list[LevelInsertion],
        checks: list[PasteControl],
        unsure: list[Uncertainty] | None,
    ) -> Yielding[list[Question], Sequence[Answer], list[Case]]:
        """All tests and controls, judged; a control by the base instance of the test beside it."""
        scene = judge.stage.scene
        questions = [Question(scene, test.recipe) for test in tests]
        answers = yield [*questions, *(check.question for check in checks)]
        told = [
            case_measurements(test, uncertainty_of(unsure, judge.stage, test.base.index))
            for test in tests
        ]
        cases = []
        for test, facts, answer in zip(tests, told, answers[: len(tests)], strict=True):
            box, after = pasted_box(test.recipe), detections_in(answer)
            cases.append(
                judge.case(test.recipe, TEST, test.base, after, box, test.inserting.label, facts)
            )
        for check, answer in zip(checks, answers[len(tests) :], strict=True):
            base, after = tests[check.beside].base, detections_in(answer)
            role, facts = f"control:{check.name}", told[check.beside]
            cases.append(
                judge.case(check.question.recipe, role, base, after, check.box, None, facts)
            )
        return cases


def prepare(options: RobustnessOptions, setting: Setting) -> RobustnessMethod:
    """The method for a subject and scenes, its objects at hand."""
    check_subject(options, setting.subject)
    return RobustnessMethod(options, setting, opened_library(setting))


METHOD = MethodKind(
    RobustnessOptions, prepare, objects=True, view="snellen.methods.robustness.view:VIEW"
)
