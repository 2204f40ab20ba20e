"""Requirements: what a person can still see, the subject must still see."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt
from numpy.random import Generator

from snellen.changes.corruptions.registry import CORRUPTIONS
from snellen.changes.identity import Identity
from snellen.changes.recipe import Materials, Recipe
from snellen.changes.reencode import Reencode, scene_encoding
from snellen.contract.method import Setting, Unit
from snellen.contract.questions import Answer, Question, Questions
from snellen.contract.verdict import TEST, Case, Verdict, status_of
from snellen.errors import UserError, nearest
from snellen.methods.kind import MethodKind
from snellen.methods.requirements.change_axes import ChangeAxis, axes_of, sample_changes
from snellen.methods.requirements.evidence.run_evidence import CLEAN
from snellen.methods.requirements.evidence.subject_annotations import label_map, truths_of
from snellen.methods.requirements.options import RequirementOptions
from snellen.methods.requirements.relation import RequirementsRelation, subtasks_of, tasks_of
from snellen.methods.requirements.specification.idle_thresholds import warn_of_idle
from snellen.methods.requirements.specification.requirement import Requirement
from snellen.methods.requirements.specification.requirement_file import read_requirements
from snellen.objects.label_names import plain_name
from snellen.scenes.scene import Scene, SceneSet
from snellen.subjects.subject import Prediction, Task
from snellen.vision.events import compare_predictions
from snellen.vision.visual_change.registry import visual_measure

MEASURES = ("delta_v", "level")
CONTROL = "control:reencode"


@dataclass(frozen=True, eq=False)
class RequirementsMethod:
    """DecompoVision's method: cases made once serve all requirements, thresholds and subtasks."""

    options: RequirementOptions
    setting: Setting
    requirements: tuple[Requirement, ...]
    axes: tuple[ChangeAxis, ...]
    labels: npt.NDArray[np.int64]
    minimum: int = 2
    materials: Materials = field(default_factory=dict)

    @property
    def facts(self) -> Mapping[str, Any]:
        """The requirements, and what they are checked with."""
        return {
            "requirements": [one.model_dump(mode="json") for one in self.requirements],
            "subtasks": list(subtasks_of(self.setting.subject.task, self.options)),
            "minimal": self.options.minimal,
            "axes": [[one.transformation, one.measure, one.most] for one in self.axes],
        }

    def units(self) -> Sequence[Unit]:
        """Every scene."""
        return [Unit(scene.id, scene) for scene in self.setting.scenes]

    def examine(self, unit: Unit, rng: Generator, allowance: int | None) -> Questions:
        """Change the scene by so much as a person tolerates, and judge what is still seen."""
        recipes = self._recipes(rng, None if allowance is None else allowance - 1)
        checks = self._checks(unit, len(recipes), rng)
        if allowance is not None:
            checks = checks[: max(0, allowance - 1 - len(recipes))]
        asked = [Question(unit.scene, Identity())]
        asked += [Question(unit.scene, recipe, MEASURES) for recipe in recipes]
        asked += [Question(unit.scene, recipe) for recipe in checks]
        first, *rest = yield asked
        judge = self._judge(unit, first.prediction)
        cases = [
            self._case(recipe, TEST, first, answer)
            for recipe, answer in zip(recipes, rest, strict=False)
        ]
        told = [{"transformation": CLEAN, "delta_v": 0.0, **judge.outcomes(first.prediction)}]
        told += [
            {
                "transformation": recipe.corruption,
                "delta_v": answer.measurements["delta_v"],
                **judge.outcomes(answer.prediction),
            }
            for recipe, answer in zip(recipes, rest, strict=False)
        ]
        for recipe, answer in zip(checks, rest[len(recipes) :], strict=True):
            cases.append(self._case(recipe, CONTROL, first, answer))
        return Verdict(tuple(cases), {"cases": told})

    def judged_again(
        self,
        case: Case,
        of: Scene,
        scene: Prediction,
        answer: Prediction,
    ) -> Case:
        """The case as it is judged by what the subject says now."""
        again = self._case(case.recipe, case.role, Answer(scene), Answer(answer))
        return Case(
            again.recipe, again.role, again.status, answer, scene, again.events, case.measurements
        )

    def _recipes(self, rng: Generator, room: int | None) -> list[Any]:
        """The cases of a scene; with room for fewer, some drawn at random."""
        made = [
            one for axis in self.axes for one in sample_changes(axis, self.options.samples, rng)
        ]
        if room is None or len(made) <= room:
            return made
        kept = rng.choice(len(made), size=max(1, room), replace=False)
        return [made[int(place)] for place in sorted(kept)]

    def _checks(self, unit: Unit, cases: int, rng: Generator) -> list[Recipe]:
        wanted = min(1.0, cases * self.options.controls)
        if rng.random() >= wanted:
            return []
        return [Reencode(*scene_encoding(unit.scene))]

    def _judge(self, unit: Unit, before: Prediction) -> RequirementsRelation:
        subject = self.setting.subject
        return RequirementsRelation(
            subject.task,
            self.options,
            subject.score,
            len(subject.classes),
            truths_of(unit.scene, self.labels),
            before,
        )

    def _case(self, recipe: Recipe, role: str, before: Answer, after: Answer) -> Case:
        events = compare_predictions(
            before.prediction,
            after.prediction,
            score=self.setting.subject.score,
            iou=self.options.iou,
            hysteresis=self.options.hysteresis,
        )
        return Case(
            recipe,
            role,
            status_of(events),
            after.prediction,
            before.prediction,
            events,
            after.measurements,
        )


def prepare(options: RequirementOptions, setting: Setting) -> RequirementsMethod:
    """The method with the requirements of its file, which the subject and scenes must fit."""
    path = setting.folder / options.file
    chosen = _chosen(read_requirements(path), options, str(path))
    for one in chosen:
        _fits(one, setting, str(path))
    _one_measure(chosen, str(path))
    chosen = [one.model_copy(update={"measure": _identity(one)}) for one in chosen]
    warn_of_idle(chosen, options.minimal)
    labels = label_map(setting.scenes, setting.subject.classes)
    return RequirementsMethod(options, setting, tuple(chosen), axes_of(chosen), labels)


def _chosen(
    found: Sequence[Requirement], options: RequirementOptions, where: str
) -> list[Requirement]:
    names = [one.name for one in found]
    for name in options.only:
        if name not in names:
            raise UserError(f"{where}: has no requirement '{name}'{nearest(name, names)}")
    return [one for one in found if not options.only or one.name in options.only]


def _fits(one: Requirement, setting: Setting, where: str) -> None:
    subject, scenes = setting.subject, setting.scenes
    CORRUPTIONS.check(one.transformation, f"{where}: requirement '{one.name}': transformation")
    visual_measure(one.measure, f"{where}: requirement '{one.name}': measure")
    tasks = tasks_of(subject.task)
    if not set(one.tasks) & set(tasks):
        raise UserError(
            f"{where}: requirement '{one.name}' is on {one.task}, but the subject's answers can be "
            f"checked for {' and '.join(tasks)} only. Leave it out with `only`, or test another."
        )
    if one.label != "any":
        known = {plain_name(name) for name in subject.classes}
        if plain_name(one.label) not in known:
            clause = nearest(one.label, list(subject.classes))
            raise UserError(
                f"{where}: requirement '{one.name}': the subject has no label '{one.label}'{clause}"
            )
    if one.kind == "correctness" and subject.task == Task.SEGMENTATION:
        _masked(one, scenes, where)
    if one.kind == "correctness" and not any(scene.annotations is not None for scene in scenes):
        raise UserError(
            f"{where}: requirement '{one.name}' is on correctness, but no scene is annotated. Give "
            "annotated scenes, or check preservation alone with `only`."
        )


def _masked(one: Requirement, scenes: SceneSet, where: str) -> None:
    """A segmenter's answers are judged by masks, so annotated objects need them."""
    for scene in scenes:
        known = scene.annotations
        if known is not None and len(known) and known.masks is None:
            raise UserError(
                f"{where}: requirement '{one.name}' is on correctness of a segmenter, but the "
                f"objects of scene '{scene.id}' are annotated without masks. Give scenes with "
                "masks, or check preservation alone with `only`."
            )


def _one_measure(chosen: Sequence[Requirement], where: str) -> None:
    """Visual change by one measure is not that by another, so cases can't serve both."""
    first: dict[str, Requirement] = {}
    for one in chosen:
        other = first.setdefault(one.transformation, one)
        if _identity(one) != _identity(other):
            raise UserError(
                f"{where}: requirements '{other.name}' and '{one.name}' measure "
                f"{one.transformation} by {other.measure} and by {one.measure}. "
                "Check them in runs of their own, each with `only`."
            )


def _identity(one: Requirement) -> str:
    """The measure's name with its parameters, the same however it was written."""
    return visual_measure(one.measure).identity


METHOD = MethodKind(RequirementOptions, prepare, view="snellen.methods.requirements.view:VIEW")
