"""Requirements: what people still see, the subject must still see."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from numpy.random import Generator

from snellen.changes.corruptions.corrupt import CorruptTo
from snellen.changes.corruptions.registry import CORRUPTIONS
from snellen.changes.identity import Identity
from snellen.changes.recipe import Recipe
from snellen.changes.reencode import Reencode, scene_encoding
from snellen.contract.asked import Asked
from snellen.contract.explanation import Explaining, Explanation
from snellen.contract.fault_target import FaultTarget, targets_of_events
from snellen.contract.method import Method, Setting, Unit
from snellen.contract.questions import Question, Questions
from snellen.contract.subject_annotations import label_map, truths_of
from snellen.contract.verdict import CHECK, Case, Verdict, status_of
from snellen.errors import UserError, nearest
from snellen.methods.kind import MethodKind
from snellen.methods.planned_case import PlannedCase, ask_and_judge, in_turn
from snellen.methods.requirements.change_axes import (
    MEASURES,
    SEEDS,
    ChangeAxis,
    axes_of,
    object_boxes,
    sample_changes,
)
from snellen.methods.requirements.evidence.run_evidence import CLEAN
from snellen.methods.requirements.level_ladder import LevelLadder, seed_for
from snellen.methods.requirements.options import RequirementOptions
from snellen.methods.requirements.relation import (
    RequirementsRelation,
    change_events,
    subtasks_of,
    tasks_of,
)
from snellen.methods.requirements.specification.idle_thresholds import warn_of_idle
from snellen.methods.requirements.specification.margin_composition import (
    check_human_margins,
    warn_of_shrunk,
)
from snellen.methods.requirements.specification.requirement import Requirement
from snellen.methods.requirements.specification.requirement_file import read_requirements
from snellen.objects.label_names import plain_name
from snellen.scenes.scene import SceneSet
from snellen.subjects.subject import Prediction, Task
from snellen.vision.arrays import Ints
from snellen.vision.events import Event
from snellen.vision.visual_change.registry import visual_measure

ENCODED = f"{CHECK}reencode"


@dataclass(frozen=True, eq=False)
class RequirementsMethod(Method):
    """DecompoVision's method: all requirements, thresholds and subtasks share the cases."""

    options: RequirementOptions
    setting: Setting
    requirements: tuple[Requirement, ...]
    axes: tuple[ChangeAxis, ...]
    labels: Ints

    @property
    def facts(self) -> Mapping[str, Any]:
        """The requirements, and how they are checked."""
        return {
            "requirements": [one.model_dump(mode="json") for one in self.requirements],
            "subtasks": list(subtasks_of(self.setting.subject.task, self.options)),
            "minimal": self.options.minimal,
            "axes": [[one.transformation, one.measure, self.options.most] for one in self.axes],
        }

    @property
    def explains(self) -> bool:
        """The least change that still breaks a finding is searched, and the subtask named."""
        return True

    def units(self) -> Sequence[Unit]:
        """Every scene."""
        return [Unit(scene.id, scene) for scene in self.setting.scenes]

    def examine(self, unit: Unit, rng: Generator) -> Questions:
        """Change the scene as much as people tolerate, and judge what is still seen."""
        recipes = self._recipes(unit)
        checks = self._checks(unit, len(recipes), rng)
        [before] = yield [Question(unit.scene, Identity())]
        tests = [PlannedCase(Question(unit.scene, recipe, MEASURES)) for recipe in recipes]
        controls = [PlannedCase(Question(unit.scene, recipe), ENCODED) for recipe in checks]
        order = in_turn(tests, lambda one: getattr(one.question.recipe, "corruption", ""))
        cases = yield from ask_and_judge(tests, controls, before, self.judge, worth=order)
        relation = self._relation(unit, before.prediction)
        clean = {"transformation": CLEAN, "delta_v": 0.0, **relation.outcomes(before.prediction)}
        changed = [
            {
                "transformation": case.recipe.corruption,
                "delta_v": case.measurements["delta_v"],
                **relation.outcomes(case.after),
            }
            for case in cases
            if isinstance(case.recipe, CorruptTo)
        ]
        return Verdict(tuple(cases), {"cases": [clean, *changed]})

    def judge(self, asked: Asked) -> Case:
        """The changed scene must get the same answer as the unchanged one."""
        assert asked.before is not None
        before, after = asked.before.prediction, asked.after.prediction
        events = change_events(before, after, self.options, self.setting.subject.score)
        return Case(
            asked.recipe,
            asked.role,
            status_of(events),
            after,
            before,
            events,
            asked.after.measurements,
        )

    def explain(self, case: Case, unit: Unit, rng: Generator) -> Explaining:
        """Less of the same change, until it no longer breaks what the finding is about."""
        if not isinstance(case.recipe, CorruptTo) or case.before is None:
            return Explanation()

        def stage(other: Case, event: Event) -> str:
            assert case.before is not None
            return self._relation(unit, case.before).broken_subtask(other.after, event)

        seed = seed_for(int(rng.integers(SEEDS)), case.recipe.seed)
        return (yield from LevelLadder(case, unit.scene, self.judge, stage).climb(seed))

    def struck(self, case: Case, classes: Sequence[str]) -> tuple[FaultTarget, ...]:
        """An object under a transformation: what frost hides, blur need not."""
        found = targets_of_events(case, classes)
        if not isinstance(case.recipe, CorruptTo):
            return found
        under = f" under {case.recipe.corruption}"
        return tuple(replace(one, key=one.key + under, words=one.words + under) for one in found)

    def _recipes(self, unit: Unit) -> list[CorruptTo]:
        """The changes of a scene, which do not depend on what else is checked."""
        count, most, seed = self.options.samples, self.options.most, self.setting.seed
        return [
            one
            for axis in self.axes
            for one in sample_changes(
                axis, count, most=most, scene=unit.id, seed=seed, boxes=object_boxes(unit.scene)
            )
        ]

    def _checks(self, unit: Unit, cases: int, rng: Generator) -> list[Recipe]:
        wanted = min(1.0, cases * self.options.controls)
        if rng.random() >= wanted:
            return []
        return [Reencode(*scene_encoding(unit.scene))]

    def _relation(self, unit: Unit, before: Prediction) -> RequirementsRelation:
        subject = self.setting.subject
        return RequirementsRelation(
            subject.task,
            self.options,
            subject.score,
            len(subject.classes),
            truths_of(unit.scene, self.labels),
            before,
        )


def prepare(options: RequirementOptions, setting: Setting) -> RequirementsMethod:
    """The method with the requirements of its file, checked against subject and scenes."""
    path = setting.folder / options.file
    chosen = _chosen(read_requirements(path), options, str(path))
    for one in chosen:
        _check_fit(one, setting, str(path))
        _check_range(one, options.most, str(path))
    _check_measures(chosen, str(path))
    chosen = [one.model_copy(update={"measure": _identity(one)}) for one in chosen]
    check_human_margins(chosen, str(path))
    warn_of_idle(chosen, options.minimal)
    warn_of_shrunk(chosen)
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


def _check_fit(one: Requirement, setting: Setting, where: str) -> None:
    subject, scenes = setting.subject, setting.scenes
    CORRUPTIONS.check(one.transformation, f"{where}: requirement '{one.name}': transformation")
    visual_measure(one.measure, f"{where}: requirement '{one.name}': measure")
    tasks = tasks_of(subject.task)
    if not set(one.tasks) & set(tasks):
        raise UserError(
            f"{where}: requirement '{one.name}' is on {one.task}, but this subject can only be "
            f"checked for {' and '.join(tasks)}. Select others with `only`, or change the subject."
        )
    if one.label != "any":
        classes = {plain_name(name) for name in subject.classes}
        if plain_name(one.label) not in classes:
            clause = nearest(one.label, list(subject.classes))
            raise UserError(
                f"{where}: requirement '{one.name}': the subject has no label '{one.label}'{clause}"
            )
    if one.kind == "correctness" and subject.task == Task.SEGMENTATION:
        _check_masks(one, scenes, where)
    if one.kind == "correctness" and not any(scene.annotations is not None for scene in scenes):
        raise UserError(
            f"{where}: requirement '{one.name}' is on correctness, but no scene is annotated. Give "
            "annotated scenes, or check preservation alone with `only`."
        )


def _check_masks(one: Requirement, scenes: SceneSet, where: str) -> None:
    """Refuse scenes without masks, which a segmenter is judged by."""
    for scene in scenes:
        annotations = scene.annotations
        if annotations is not None and len(annotations) and annotations.masks is None:
            raise UserError(
                f"{where}: requirement '{one.name}' is on correctness of a segmenter, but the "
                f"objects of scene '{scene.id}' have no masks. Give scenes with "
                "masks, or check preservation alone with `only`."
            )


def _check_range(one: Requirement, most: float, where: str) -> None:
    """Refuse a threshold beyond the visual changes that are tested."""
    if one.threshold > most:
        raise UserError(
            f"{where}: requirement '{one.name}' reaches up to a visual change of {one.threshold:g},"
            f" but cases are made up to {most:g} alone. Raise `most`, or leave it out with `only`."
        )


def _check_measures(chosen: Sequence[Requirement], where: str) -> None:
    """Refuse two measures of one transformation, since cases can't serve both."""
    first: dict[str, Requirement] = {}
    for one in chosen:
        other = first.setdefault(one.transformation, one)
        if _identity(one) != _identity(other):
            raise UserError(
                f"{where}: requirements '{other.name}' and '{one.name}' measure "
                f"{one.transformation} by {other.measure} and by {one.measure}. "
                "Check them in separate runs with `only`."
            )


def _identity(one: Requirement) -> str:
    """The measure's name and parameters in normal form."""
    return visual_measure(one.measure).identity


METHOD = MethodKind(
    RequirementOptions,
    prepare,
    view="snellen.methods.requirements.view:VIEW",
    exam="snellen.methods.requirements.exam_entry:ENTRY",
    starter="snellen.methods.requirements.starter_file:write_starter",
)
