"""The answers of a study to each subtask, as estimates of every procedure take them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from snellen.methods.human.procedures.answer_tally import JudgedAnswers
from snellen.methods.human.subtasks import SUBTASKS, Kind, SubtaskName, TaskName
from snellen.study.estimates.curve.judged_trials import JudgedTrials
from snellen.study.estimates.scores.preservation import preserved_answers
from snellen.study.estimates.scores.scored_answer import ScoredAnswer, ScoredUnit
from snellen.study.estimates.scores.task_scores import ScoredStudy
from snellen.study.estimates.scores.trial_table import trial_table
from snellen.study.estimates.study_curves import ANY
from snellen.study.record import ORIGINAL
from snellen.study.trial import StudyTask, TrialKind

QUESTIONS: dict[tuple[TaskName, SubtaskName], StudyTask] = {
    ("classification", "classify"): StudyTask.CLASSIFY,
    ("detection", "localise"): StudyTask.LOCALISE,
    ("detection", "classify"): StudyTask.CLASSIFY_BOX,
    ("segmentation", "localise"): StudyTask.LOCALISE,
    ("segmentation", "classify"): StudyTask.CLASSIFY_BOX,
    ("segmentation", "segment"): StudyTask.SEGMENT,
}
"""What was asked for each subtask: the answers of detection serve segmentation, as published."""


@dataclass(frozen=True, eq=False)
class SubtaskSide:
    """One share of a subtask: `accuracy`, `recall` or `precision`, and the answers it is taken of.

    changed, unchanged: answers to pictures of one transformation, and to originals.
    """

    what: str
    changed: list[ScoredAnswer]
    unchanged: list[ScoredAnswer]

    def trials(self) -> JudgedTrials:
        """All of the answers, as columns."""
        return trial_table([*self.unchanged, *self.changed])


class StudyAnswers:
    """The answers of participants who are kept, by what was asked about what.

    Scenes are numbered, so that all subtasks share the bootstrap draws of scenes.
    """

    def __init__(self, study: ScoredStudy) -> None:
        self.study = study
        self.by_kind = {
            "correctness": _tested(study.answers),
            "preservation": _tested(preserved_answers(study).answers),
        }
        names = sorted({one.scene for one in study.answers})
        self.scenes = {name: number for number, name in enumerate(names)}

    def tasks(self) -> list[TaskName]:
        """The tasks with a subtask that was asked about; the larger of two that share answers."""
        asked = {one.task for one in self.by_kind["correctness"]}
        found: list[TaskName] = ["classification"] if StudyTask.CLASSIFY in asked else []
        if StudyTask.SEGMENT in asked:
            return [*found, "segmentation"]
        boxes = asked & {StudyTask.LOCALISE, StudyTask.CLASSIFY_BOX}
        return [*found, "detection"] if boxes else found

    def parts(self, task: TaskName) -> list[SubtaskName]:
        """The subtasks of a task that were asked about, in order."""
        asked = {one.task for one in self.by_kind["correctness"]}
        return [part for part in SUBTASKS[task] if QUESTIONS[task, part] in asked]

    def transformations(self, task: TaskName) -> list[str]:
        """The corruptions that people were asked about in each subtask."""
        seen = [self._transformations(QUESTIONS[task, part]) for part in self.parts(task)]
        return sorted(set.intersection(*seen))

    def labels(self, task: TaskName) -> list[str]:
        """All classes together, and if there are several, each that every subtask was about."""
        seen = [self._labels(QUESTIONS[task, part]) for part in self.parts(task)]
        every, common = set.union(*seen), set.intersection(*seen)
        return [ANY, *sorted(common)] if len(every) > 1 else [ANY]

    def sides(
        self, task: TaskName, part: SubtaskName, label: str, transformation: str, kind: Kind
    ) -> list[SubtaskSide]:
        """The shares of a subtask; the first is the one that a curve is fitted to."""
        question = QUESTIONS[task, part]
        answers = [one for one in self.by_kind[kind] if one.task is question]

        def side(what: str, counts: Callable[[ScoredAnswer], bool]) -> SubtaskSide:
            counted = [one for one in answers if counts(one)]
            changed = [one for one in counted if one.transformation == transformation]
            return SubtaskSide(what, changed, [one for one in counted if one.unchanged])

        def asked(one: ScoredAnswer) -> bool:
            return one.unit is not ScoredUnit.BOX and label in (ANY, one.label)

        def named(one: ScoredAnswer) -> bool:
            return one.choice == label

        if task == "classification":
            return [side("accuracy", asked)]
        found = [side("recall", asked)]
        if kind == "correctness" and part == "localise" and label == ANY:
            found.append(side("precision", lambda one: one.unit is ScoredUnit.BOX))
        if kind == "correctness" and part == "classify" and label != ANY:
            found.append(side("precision", named))
        return found

    def judged(self, answers: Sequence[ScoredAnswer]) -> JudgedAnswers:
        """The answers by scene, as the published procedures take them."""
        return JudgedAnswers(
            np.array([self.scenes[one.scene] for one in answers], dtype=np.int64),
            np.array([one.delta_v for one in answers], dtype=np.float64),
            np.array([one.right for one in answers], dtype=bool),
        )

    def _transformations(self, question: StudyTask) -> set[str]:
        answers = self.by_kind["correctness"]
        return {one.transformation for one in answers if one.task is question} - {ORIGINAL}

    def _labels(self, question: StudyTask) -> set[str]:
        answers = self.by_kind["correctness"]
        return {one.label for one in answers if one.task is question} - {""}


def _tested(answers: Sequence[ScoredAnswer]) -> list[ScoredAnswer]:
    return [one for one in answers if one.kind is TrialKind.TEST]
