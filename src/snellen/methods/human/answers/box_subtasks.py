"""Precision and recall of people in each subtask, as right or wrong answers.

A subtask is judged given the earlier ones, so that shares multiply to those of the whole task:
a recall counts objects of the label, a precision counts boxes that were given the label.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from snellen.errors import UserError
from snellen.methods.human.answers.box_answers import BoxAnswers
from snellen.methods.human.procedures.answer_tally import JudgedAnswers
from snellen.methods.human.subtasks import SUBTASKS, WHOLE, SubtaskName, TaskName
from snellen.vision.arrays import Bools, Ints, Texts


@dataclass(frozen=True, eq=False)
class SubtaskAnswers:
    """The answers of a subtask, by box and by object."""

    precision: JudgedAnswers
    recall: JudgedAnswers


def subtask_answers(
    answers: BoxAnswers, task: TaskName, label: str
) -> dict[SubtaskName, SubtaskAnswers]:
    """The answers of each subtask of a task, and of the whole task, for a label or `any`."""
    passed = _passed(answers, task)
    if answers.partial_masks and task == "segmentation":
        known = ~(passed[1] & np.isnan(answers.segmented))
    else:
        known = np.ones(len(answers.image), dtype=bool)
    boxes = _wanted(answers.answer, label) & (answers.answer != "")
    precisions = _steps(answers, np.flatnonzero(boxes), passed[:, boxes], known)
    first, of_objects = _of_objects(answers, passed, label)
    recalls = _steps(answers, first, of_objects, known)
    names: tuple[SubtaskName, ...] = (*SUBTASKS[task], WHOLE)
    return {
        name: SubtaskAnswers(precision, recall)
        for name, precision, recall in zip(names, precisions, recalls, strict=True)
    }


def _passed(answers: BoxAnswers, task: TaskName) -> Bools:
    """(subtasks, N): the rows that pass each subtask and all earlier ones."""
    localised = (answers.object >= 0) & (answers.answer != "")
    classified = localised & (answers.truth == answers.answer)
    if task != "segmentation":
        return np.stack([localised, classified])
    if not answers.partial_masks and np.isnan(answers.segmented[classified]).any():
        raise UserError(
            f"{answers.path}: segmented is empty for a box that was given its object's label; "
            "segmentation needs 1 or 0 there. Fill it in, or use --task detection."
        )
    return np.stack([localised, classified, classified & (answers.segmented == 1)])


def _wanted(labels: Texts, label: str) -> Bools:
    return np.ones(len(labels), dtype=bool) if label == "any" else np.asarray(labels == label)


def _of_objects(answers: BoxAnswers, passed: Bools, label: str) -> tuple[Ints, Bools]:
    """One row per object of the label, and (subtasks, objects) whether any box of it passes."""
    rows = np.flatnonzero(_wanted(answers.truth, label) & (answers.object >= 0))
    objects, first, place = np.unique(answers.object[rows], return_index=True, return_inverse=True)
    found = np.zeros((len(passed), len(objects)), dtype=bool)
    for step, one in enumerate(passed):
        np.logical_or.at(found[step], place, one[rows])
    return rows[first], found


def _steps(answers: BoxAnswers, rows: Ints, passed: Bools, known: Bools) -> list[JudgedAnswers]:
    """The answers of each subtask given the earlier ones, then those of the whole task.

    known: (N,) whether a row's last subtask was asked for; others are left out there.
    """
    given = np.vstack([np.ones((1, len(rows)), dtype=bool), passed])
    steps = [(given[n], given[n + 1]) for n in range(len(passed) - 1)]
    steps += [(given[first] & known[rows], given[-1]) for first in (-2, 0)]
    return [
        JudgedAnswers(answers.image[rows[asked]], answers.delta_v[rows[asked]], right[asked])
        for asked, right in steps
    ]
