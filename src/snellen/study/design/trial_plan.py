"""The trials of a study: what is asked about which picture, in which batch."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from numpy.random import Generator

from snellen.changes.paste.insert import Insert
from snellen.errors import UserError
from snellen.study.design.insertion_pipelines import InsertionPipelines
from snellen.study.design.opaque_names import OpaqueNames
from snellen.study.design.question_plan import QuestionPlan, check_both_answers, check_classes
from snellen.study.design.sample_plan import SEEDS, PlannedSample, sample_batches
from snellen.study.design.scene_groups import SceneGroups
from snellen.study.design.scene_truth import NEEDS_OBJECTS, SceneTruth
from snellen.study.options import BoxSource, StudyOptions
from snellen.study.record import ORIGINAL, PlannedTrial, TrueObject
from snellen.study.trial import StudyTask, TrialKind

MILD = 0.4
"""Visual change of every other practice picture, as a share of the strongest."""


@dataclass(frozen=True)
class NamedSample:
    """A picture to be made, under its name. recipe: of an insertion, else None."""

    name: str
    planned: PlannedSample
    recipe: Insert | None = None


@dataclass
class TrialPlan:
    """Collects the pictures and trials of a study in their order."""

    options: StudyOptions
    groups: SceneGroups
    names: OpaqueNames
    questions: QuestionPlan
    pipelines: InsertionPipelines | None
    rng: Generator
    samples: dict[str, NamedSample] = field(default_factory=dict)
    trials: list[PlannedTrial] = field(default_factory=list)
    slots: dict[str, int] = field(default_factory=dict)

    def fill(self) -> None:
        """Plan all pictures and trials."""
        self._fill_batches()
        for (kind, task), truths in self.groups.checks.items():
            for place, truth in enumerate(truths):
                self._add_check(kind, task, place, truth)

    def _fill_batches(self) -> None:
        batches = sample_batches(self.groups.groups, self.options, self.rng)
        for number, planned in enumerate(batches):
            shared = list(map(self._named, planned)) if self.options.changes_pictures else []
            asked = [self.questions.object_of(one.truth) for one in planned]
            for place, task in enumerate(self.options.tasks):
                batch = None if self.options.adaptive else place * len(batches) + number
                if task == StudyTask.RANK:
                    for one in planned:
                        self._add_ranking(TrialKind.TEST, one.truth, batch)
                    continue
                for sample, about in zip(shared, asked, strict=True):
                    self._add(TrialKind.TEST, task, sample, about, None, batch)

    def _add_check(self, kind: TrialKind, task: StudyTask, place: int, truth: SceneTruth) -> None:
        if task == StudyTask.RANK:
            self._add_ranking(kind, truth, None)
            return
        kinds = self.options.corruptions
        mild = kind == TrialKind.PRACTICE and place % 2 == 1 and kinds
        name = kinds[place // 2 % len(kinds)] if mild else ORIGINAL
        change = MILD * self.options.strongest if mild else 0.0
        planned = PlannedSample(truth, name, change, int(self.rng.integers(SEEDS)))
        about = max(truth.asked, key=_area) if truth.asked else None
        trial = self._add(kind, task, self._named(planned), about, place % 2 == 0, None)
        if kind == TrialKind.SANITY:
            self.slots[trial] = place // self.options.sanity

    def _add(
        self,
        kind: TrialKind,
        task: StudyTask,
        sample: NamedSample,
        about: TrueObject | None,
        present: bool | None,
        batch: int | None,
    ) -> str:
        asked = self.questions.question(task, sample.planned.truth, about, present)
        return self._append(kind, task, (sample.name,), batch, asked)

    def _add_ranking(self, kind: TrialKind, truth: SceneTruth, batch: int | None) -> None:
        assert self.pipelines is not None
        names = []
        for transformation, recipe in self.pipelines.recipes(truth.scene, self.rng):
            planned = PlannedSample(truth, transformation, 0.0, 0)
            names.append(self._named(planned, recipe).name)
        self._append(kind, StudyTask.RANK, tuple(names), batch, {})

    def _append(
        self,
        kind: TrialKind,
        task: StudyTask,
        samples: tuple[str, ...],
        batch: int | None,
        asked: dict[str, object],
    ) -> str:
        name = self.names.of("trial", len(self.trials))
        self.trials.append(
            PlannedTrial.model_validate(
                {"trial": name, "task": task, "kind": kind, "samples": samples, "batch": batch}
                | asked
            )
        )
        return name

    def _named(self, planned: PlannedSample, recipe: Insert | None = None) -> NamedSample:
        name = self.names.of("sample", len(self.samples))
        self.samples[name] = NamedSample(name, planned, recipe)
        return self.samples[name]


def trial_plan(
    options: StudyOptions,
    classes: Sequence[str],
    groups: SceneGroups,
    names: OpaqueNames,
    pipelines: InsertionPipelines | None,
    rng: Generator,
) -> TrialPlan:
    """The pictures and trials of a study; an error where the scenes allow no question."""
    check_classes(options.tasks, classes)
    questions = QuestionPlan(classes, rng, other=options.boxes == BoxSource.PEOPLE)
    plan = TrialPlan(options, groups, names, questions, pipelines, rng)
    plan.fill()
    if StudyTask.CLASSIFY in options.tasks:
        check_both_answers(_rights(plan.trials))
    if options.boxes == BoxSource.PEOPLE:
        _check_reuse(options)
    return plan


def _rights(trials: Sequence[PlannedTrial]) -> Iterator[tuple[str, str]]:
    for one in trials:
        if one.task == StudyTask.CLASSIFY and one.kind == TrialKind.TEST:
            yield one.label or "", one.right


def _check_reuse(options: StudyOptions) -> None:
    users = [one for one in options.tasks if one in NEEDS_OBJECTS[1:]]
    if not users or StudyTask.LOCALISE not in options.tasks:
        raise UserError(
            "boxes: people: shows boxes drawn in `localise` in `classify-box` and `segment`, so "
            "tasks must have localise and one of these. Add it, or set boxes: annotations."
        )


def _area(one: TrueObject) -> float:
    x1, y1, x2, y2 = one.box
    return (x2 - x1) * (y2 - y1)
