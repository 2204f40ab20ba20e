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
from snellen.methods.confirmation import confirmed, detections_in
from snellen.methods.controls import Control, Surroundings, controls
from snellen.methods.method import MethodKind, Setting, Unit
from snellen.methods.placing import box_of
from snellen.methods.questions import Answer, Question, Questions
from snellen.methods.robustness import outlines, sampling
from snellen.methods.robustness.inserting import Shelf, alone_questions, inserting
from snellen.methods.robustness.judging import Judge
from snellen.methods.robustness.measuring import measured, object_notes, uncertainty_of
from snellen.methods.robustness.options import Contour, Passes, RobustnessOptions
from snellen.methods.robustness.outcome import Examined, instance_note
from snellen.methods.robustness.outlines import Outline
from snellen.methods.robustness.plan import Planned, affordable, planned
from snellen.methods.robustness.preparing import check_subject, opened_library
from snellen.methods.robustness.rejudging import judged_again
from snellen.methods.robustness.stage import Base, Stage
from snellen.methods.verdict import TEST, Case, Verdict
from snellen.objects.library import Library, ids_digest
from snellen.objects.names import plain_name
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
    shelf: Shelf = field(init=False)

    def __post_init__(self) -> None:
        names = enumerate(self.setting.subject.classes)
        ids = {plain_name(name): label for label, name in names}
        object.__setattr__(self, "shelf", Shelf(self.library, ids))

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
        unsure = yield from sampling.sampled(
            scene, stage.objects, self._how(), options.passes, len(subject.classes)
        )
        edges = yield from outlines.outlines(stage, bases[:some], options, subject)
        found, tests = yield from self._planned(stage, edges, unsure, count, rng)
        spare = None if room is None else room - some * alone - len(tests)
        checks = self._controls(stage, tests, spare, rng)
        cases = yield from self._asked(Judge(options, stage), tests, checks, unsure)
        if not subject.deterministic:
            spent = some * alone + len(tests) + len(checks)
            rest = None if left is None else left - spent
            cases, _ = yield from confirmed(Judge(options, stage).steady(), cases, rest)
        own = {one.base.index: [c for c, t in zip(cases, tests, strict=False) if t.base is one.base]
               for one in found}  # fmt: skip
        notes = [instance_note(one, own[one.base.index], options, rng) for one in found]
        return Verdict(tuple(cases), {"objects": object_notes(stage, unsure), "instances": notes})

    def _planned(
        self,
        stage: Stage,
        edges: Sequence[tuple[Base, Outline]],
        unsure: list[Uncertainty] | None,
        count: int,
        rng: Generator,
    ) -> Yielding[list[Question], Sequence[Answer], tuple[list[Examined], list[Planned]]]:
        """What is known of each base instance, and `count` tests of it at each level."""
        found: list[Examined] = []
        tests: list[Planned] = []
        for base, edge in edges:
            chosen = yield from inserting(
                self.shelf, stage, base, edge, self.options, self._how(), rng
            )
            tests += planned(base, edge, chosen, self.options, count, rng)
            found.append(
                Examined(
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
        judge = Judge(self.options, self._stage(of, scene))
        return judged_again(judge, case, self.shelf, answer)

    def _stage(self, scene: Scene, before: Detections) -> Stage:
        subject = self.setting.subject
        known = self.setting.scenes.classes
        return Stage(scene, before, subject.score, subject.classes, known)

    def _contour(self) -> Contour:
        return outlines.resolved(self.options.contour, self.setting.subject)

    def _how(self) -> Passes:
        return sampling.resolved(self.options.uncertainty, self.setting.subject)

    def _overhead(self) -> int:
        """Questions of a scene before the first test."""
        masks = self.options.saliency.masks if self._contour() == Contour.SALIENCY else 0
        return 1 + masks + (self.options.passes if self._how() != Passes.NONE else 0)

    def _controls(
        self, stage: Stage, tests: list[Planned], spare: int | None, rng: Generator
    ) -> list[Control]:
        wanted = len(tests) * self.options.controls
        count = int(wanted) + int(rng.random() < wanted - int(wanted))
        if spare is not None:
            count = min(count, max(0, spare))
        around = Surroundings(stage.scene, stage.objects.boxes, stage.obstacles)
        return controls(around, [test.recipe for test in tests], count, rng)

    def _asked(
        self,
        judge: Judge,
        tests: list[Planned],
        checks: list[Control],
        unsure: list[Uncertainty] | None,
    ) -> Yielding[list[Question], Sequence[Answer], list[Case]]:
        """All tests and controls, judged; a control by the base instance of the test beside it."""
        scene = judge.stage.scene
        questions = [Question(scene, test.recipe) for test in tests]
        answers = yield [*questions, *(check.question for check in checks)]
        told = [
            measured(test, uncertainty_of(unsure, judge.stage, test.base.index)) for test in tests
        ]
        cases = []
        for test, facts, answer in zip(tests, told, answers[: len(tests)], strict=True):
            box, after = box_of(test.recipe), detections_in(answer)
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


METHOD = MethodKind(RobustnessOptions, prepare, objects=True)
