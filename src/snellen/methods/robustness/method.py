"""Robustness: how often a base instance is lost when something comes near, and how near."""

from __future__ import annotations

from collections.abc import Generator as Yielding
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from numpy.random import Generator

from snellen.changes.identity import Identity
from snellen.changes.recipe import Materials
from snellen.errors import UserError
from snellen.methods.confirmation import confirmed, detections_in
from snellen.methods.controls import Control, Surroundings, controls
from snellen.methods.method import MethodKind, Setting, Unit
from snellen.methods.placing import box_of
from snellen.methods.questions import Answer, Question, Questions
from snellen.methods.robustness import outlines, sampling
from snellen.methods.robustness.inserting import Shelf, alone_questions, inserting
from snellen.methods.robustness.judging import Judge
from snellen.methods.robustness.options import Contour, Passes, RobustnessOptions
from snellen.methods.robustness.outcome import Examined, instance_note
from snellen.methods.robustness.plan import Planned, affordable, planned
from snellen.methods.robustness.rejudging import judged_again
from snellen.methods.robustness.stage import Stage
from snellen.methods.verdict import TEST, Case, Verdict
from snellen.objects.library import Library, ids_digest
from snellen.objects.names import plain_name
from snellen.objects.opening import open_objects
from snellen.scenes.scene import Scene
from snellen.subjects.explaining import Explains
from snellen.subjects.subject import Prediction, Task
from snellen.vision.detections import Detections
from snellen.vision.uncertainty import Uncertainty

CUTTING = "cutting objects out of scenes"
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
        """A scene's answer, its passes and masks, and one test at each level."""
        return (
            self._overhead()
            + alone_questions(self.options, self._how())
            + (2 * len(self.options.levels))
        )

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
        stage = Stage(
            scene, detections_in(first), subject.score, subject.classes, self.setting.scenes.classes
        )
        bases = stage.bases(options.score, options.per_scene, rng)
        left = None if allowance is None else allowance - self._overhead()
        if left is not None and not subject.deterministic:
            left = int(FIRST_SHARE * left)
        some, count = affordable(len(bases), left, options, alone_questions(options, self._how()))
        bases = bases[:some]
        if not bases:
            return Verdict((), {"objects": self._objects(stage, None), "instances": []})
        unsure = yield from sampling.sampled(
            scene, stage.objects, self._how(), options.passes, len(subject.classes)
        )
        edges = yield from outlines.outlines(stage, bases, options, subject)
        judge = Judge(options, stage)
        found: list[Examined] = []
        tests: list[Planned] = []
        for base, edge in zip(bases, edges, strict=True):
            chosen = yield from inserting(self.shelf, stage, base, edge, options, self._how(), rng)
            tests += planned(base, edge, chosen, options, count, rng)
            found.append(
                Examined(
                    base,
                    edge,
                    _of(unsure, stage, base.index),
                    stage.truth_iou(base.box, base.label),
                    max((one.around.start for one in chosen), default=None),
                    min((one.around.reach for one in chosen), default=None),
                    "" if chosen else "no room near by, or no object fits",
                )
            )
        checks = self._controls(stage, tests, left, rng)
        cases = yield from self._asked(judge, tests, checks, unsure)
        if not subject.deterministic:
            spent = len(tests) + len(checks)
            rest = None if allowance is None else allowance - self._overhead() - spent
            rest = None if rest is None else rest - some * alone_questions(options, self._how())
            cases, _ = yield from confirmed(judge.steady(), cases, rest)
        notes = [
            instance_note(
                one,
                [case for case, test in zip(cases, tests, strict=False) if test.base is one.base],
                options,
                rng,
            )
            for one in found
        ]
        return Verdict(tuple(cases), {"objects": self._objects(stage, unsure), "instances": notes})

    def judged_again(self, case: Case, of: Scene, scene: Prediction, answer: Prediction) -> Case:
        """The case as it is judged by what the subject says now."""
        assert isinstance(scene, Detections)
        assert isinstance(answer, Detections)
        subject = self.setting.subject
        stage = Stage(of, scene, subject.score, subject.classes, self.setting.scenes.classes)
        return judged_again(Judge(self.options, stage), case, self.shelf, answer)

    def _contour(self) -> Contour:
        return outlines.resolved(self.options.contour, self.setting.subject)

    def _how(self) -> Passes:
        return sampling.resolved(self.options.uncertainty, self.setting.subject)

    def _overhead(self) -> int:
        """Questions of a scene before the first test."""
        masks = self.options.saliency.masks if self._contour() == Contour.SALIENCY else 0
        return 1 + masks + (self.options.passes if self._how() != Passes.NONE else 0)

    def _controls(
        self, stage: Stage, tests: list[Planned], left: int | None, rng: Generator
    ) -> list[Control]:
        wanted = len(tests) * self.options.controls
        count = int(wanted) + int(rng.random() < wanted - int(wanted))
        if left is not None:
            count = min(count, max(0, left - len(tests)))
        around = Surroundings(stage.scene, stage.objects.boxes, stage.obstacles)
        return controls(around, [test.recipe for test in tests], count, rng)

    def _asked(
        self,
        judge: Judge,
        tests: list[Planned],
        checks: list[Control],
        unsure: list[Uncertainty] | None,
    ) -> Yielding[list[Question], Sequence[Answer], list[Case]]:
        scene = judge.stage.scene
        questions = [Question(scene, test.recipe) for test in tests]
        answers = yield [*questions, *(check.question for check in checks)]
        cases = []
        for test, answer in zip(tests, answers[: len(tests)], strict=True):
            box, after = box_of(test.recipe), detections_in(answer)
            told = _measured(test, _of(unsure, judge.stage, test.base.index))
            cases.append(
                judge.case(test.recipe, TEST, test.base, after, box, test.inserting.label, told)
            )
        for check, answer in zip(checks, answers[len(tests) :], strict=True):
            test, role = tests[check.beside], f"control:{check.name}"
            told = _measured(test, _of(unsure, judge.stage, test.base.index))
            after = detections_in(answer)
            cases.append(
                judge.case(check.question.recipe, role, test.base, after, check.box, None, told)
            )
        return cases

    def _objects(self, stage: Stage, unsure: list[Uncertainty] | None) -> list[dict[str, Any]]:
        """Everything that was found, with its uncertainty and how right it is."""
        made = []
        for place, index in enumerate(stage.indices.tolist()):
            label = int(stage.before.labels[index])
            box = stage.before.boxes[index]
            made.append(
                {
                    "name": stage.classes[label],
                    "score": round(float(stage.before.scores[index]), 4),
                    "uncertainty": None if unsure is None else round(unsure[place].total, 4),
                    "box_entropy": None if unsure is None else round(unsure[place].box_entropy, 4),
                    "truth_iou": stage.truth_iou(box, label),
                }
            )
        return made


def _of(unsure: list[Uncertainty] | None, stage: Stage, index: int) -> Uncertainty | None:
    """The uncertainty of the object with this index among the scene's detections."""
    return None if unsure is None else unsure[stage.indices.tolist().index(index)]


def _measured(test: Planned, unsure: Uncertainty | None) -> dict[str, float]:
    """What is known of a case before it is asked about, a row of the prediction database."""
    base, one, box = test.base, test.inserting, box_of(test.recipe)
    told = {
        "base": float(base.index),
        "base_label": float(base.label),
        "base_score": base.score,
        "level": float(test.level),
        "share": test.share,
        "distance": test.distance,
        "x": (box[0] + box[2]) / 2,
        "y": (box[1] + box[3]) / 2,
        "size_ratio": round(test.recipe.width * test.recipe.height / base.area, 4),
        "hash_distance": float(one.hash_distance),
    }
    known: dict[str, float | None] = {
        "inserted_label": None if one.label is None else float(one.label),
        "inserted_alone": one.score,
        "inserted_uncertainty": one.uncertainty,
    }
    if unsure is not None:
        parts = {f"base_{name}": round(value, 4) for name, value in unsure.to_json().items()}
        known |= {"base_uncertainty": parts.pop("base_total"), **parts}
    return {**told, **{name: value for name, value in known.items() if value is not None}}


def prepare(options: RobustnessOptions, setting: Setting) -> RobustnessMethod:
    """The method for a subject and scenes, its objects at hand."""
    subject = setting.subject
    if subject.task not in (Task.DETECTION, Task.SEGMENTATION):
        raise UserError(
            f"method robustness tests detectors and segmenters, but the subject's task is "
            f"'{subject.task}'. Choose another method."
        )
    if setting.objects is None:
        raise UserError(
            "method robustness needs `objects`: a library, or scenes with masks to cut them from. "
            "See docs/how-to/objects.md"
        )
    recorded = callable(getattr(subject, "opened", None))  # a run that is looked at again
    if options.contour == Contour.GRAD_CAM and not (recorded or isinstance(subject, Explains)):
        raise UserError(
            "robustness.contour: found 'grad-cam', but the subject tells no gradients. Use "
            "`kind: torch`, or `contour: saliency`, which works with any subject."
        )
    if options.uncertainty == Passes.DROPOUT and not (recorded or sampling.draws(subject)):
        raise UserError(
            "robustness.uncertainty: found 'dropout', but the subject draws nothing at random. Use "
            "`kind: torch` with `dropout`, or `uncertainty: views`, which works with any subject."
        )
    library = open_objects(
        setting.objects,
        setting.folder,
        subject,
        "objects",
        skip_invalid=setting.skip_invalid,
        progress=partial(setting.progress, CUTTING) if setting.progress else None,
    )
    return RobustnessMethod(options.published(), setting, library)


METHOD = MethodKind(RobustnessOptions, prepare, objects=True)
