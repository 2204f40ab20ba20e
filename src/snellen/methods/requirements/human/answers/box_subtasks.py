"""Precision and recall of people in each subtask, as answers that were right or not.

A subtask is judged given those before it, so that its shares multiply to those of the whole task:
a recall counts objects of the label, a precision counts boxes that were given the label.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from snellen.errors import UserError
from snellen.methods.requirements.human.answers.box_answers import BoxAnswers
from snellen.methods.requirements.human.procedures.answer_tally import JudgedAnswers
from snellen.methods.requirements.specification.requirement import (
    SUBTASKS,
    WHOLE,
    SubtaskName,
    TaskName,
)
from snellen.vision.arrays import Bools, Ints, Texts


@dataclass(frozen=True, eq=False)
class SubtaskAnswers:
    """The answers of a subtask from both sides."""

    precision: JudgedAnswers
    recall: JudgedAnswers


def subtask_answers(
    answers: BoxAnswers, task: TaskName, label: str
) -> dict[SubtaskName, SubtaskAnswers]:
    """The answers of each subtask of a task, and of the whole task, for a label or `any`."""
    passed = _passed(answers, task)
    boxes = _wanted(answers.answer, label) & (answers.answer != "")
    precisions = _steps(answers, np.flatnonzero(boxes), passed[:, boxes])
    first, of_objects = _of_objects(answers, passed, label)
    recalls = _steps(answers, first, of_objects)
    names: tuple[SubtaskName, ...] = (*SUBTASKS[task], WHOLE)
    return {
        name: SubtaskAnswers(precision, recall)
        for name, precision, recall in zip(names, precisions, recalls, strict=True)
    }


def _passed(answers: BoxAnswers, task: TaskName) -> Bools:
    """(subtasks, N): the rows that pass each subtask and all before it."""
    localised = (answers.object >= 0) & (answers.answer != "")
    classified = localised & (answers.truth == answers.answer)
    if task != "segmentation":
        return np.stack([localised, classified])
    if np.isnan(answers.segmented[classified]).any():
        raise UserError(
            f"{answers.path}: segmented is empty for a box that was given its object's label; "
            "segmentation needs 1 or 0 there. Fill it in, or ask for --task detection."
        )
    return np.stack([localised, classified, classified & (answers.segmented == 1)])


def _wanted(labels: Texts, label: str) -> Bools:
    return np.ones(len(labels), dtype=bool) if label == "any" else np.asarray(labels == label)


def _of_objects(answers: BoxAnswers, passed: Bools, label: str) -> tuple[Ints, Bools]:
    """A row of each object of the label, and (subtasks, objects) what any of its boxes passed."""
    rows = np.flatnonzero(_wanted(answers.truth, label) & (answers.object >= 0))
    kept, first, place = np.unique(answers.object[rows], return_index=True, return_inverse=True)
    found = np.zeros((len(passed), len(kept)), dtype=bool)
    for step, one in enumerate(passed):
        np.logical_or.at(found[step], place, one[rows])
    return rows[first], found


def _steps(answers: BoxAnswers, rows: Ints, passed: Bools) -> list[JudgedAnswers]:
    """The answers of each subtask given those before, and at last those of the whole task."""
    given = np.vstack([np.ones((1, len(rows)), dtype=bool), passed])
    steps = [(given[n], given[n + 1]) for n in range(len(passed))] + [(given[0], given[-1])]
    return [
        JudgedAnswers(answers.image[rows[asked]], answers.delta_v[rows[asked]], right[asked])
        for asked, right in steps
    ]
