"""The evidence for one requirement: a subtask, or a whole task, of one label."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

import numpy as np

from snellen.methods.human.subtasks import SUBTASKS, WHOLE, TaskName
from snellen.methods.requirements.evidence.case_table import CaseTable
from snellen.methods.requirements.specification.requirement import Requirement
from snellen.vision.arrays import Ints

Metric: TypeAlias = Literal["precision", "recall", "accuracy"]


@dataclass(frozen=True, eq=False)
class SubtaskCounts:
    """Subtasks start + 1 to end of a label, given those up to `start`, of a task with `last`.

    label: None for any. counts: (N, 2, last + 1), detections and objects of the cases of the table
    at the operating threshold that passed at least so many subtasks.
    """

    table: CaseTable
    label: int | None
    start: int
    end: int
    last: int
    counts: Ints

    def tallies(self, metric: Metric) -> Ints:
        """(N, 2) how many passed, and how many there were: detections, objects, or cases.

        A case is accurate if there is no false positive and no miss of the label.
        """
        if metric == "accuracy":
            wrong = (self.counts[:, :, self.start] != self.counts[:, :, self.end]).any(axis=1)
            return np.stack([~wrong, np.ones(len(wrong))], axis=1).astype(np.int64)
        side = 0 if metric == "precision" else 1
        return self.counts[:, side][:, [self.end, self.start]]


def subtask_counts(
    requirement: Requirement, table: CaseTable, task: TaskName | None = None
) -> SubtaskCounts:
    """The part of the evidence that a requirement is about, as a part of one of its tasks."""
    start, end = subtask_range(requirement, table.evidence.subtasks)
    last = len(SUBTASKS[task or _first_task(requirement, table.evidence.subtasks)])
    label = table.evidence.label(requirement.label)
    return SubtaskCounts(table, label, start, end, last, table.counts(label)[:, :, : last + 1])


def _first_task(requirement: Requirement, subtasks: Sequence[str]) -> TaskName:
    """The first task of a requirement that the evidence is on; its own if there is none."""
    return (*judged_tasks(requirement, subtasks), requirement.task)[0]


def judged_tasks(requirement: Requirement, subtasks: Sequence[str]) -> tuple[TaskName, ...]:
    """The tasks of a requirement that the subtasks of the evidence make up."""
    wanted = {task: SUBTASKS[task] for task in requirement.tasks}
    return tuple(task for task, of in wanted.items() if tuple(subtasks[: len(of)]) == of)


def subtask_range(requirement: Requirement, subtasks: Sequence[str]) -> tuple[int, int]:
    """The number of subtasks given, and the number to be passed.

    subtasks: those of the evidence, which must start with the task's.
    """
    wanted = SUBTASKS[_first_task(requirement, subtasks)]
    if tuple(subtasks[: len(wanted)]) != wanted:
        raise ValueError(
            f"requirement '{requirement.name}' needs {', '.join(wanted)} in this order; the "
            f"evidence has {', '.join(subtasks)}"
        )
    if requirement.subtask == WHOLE:
        return 0, len(wanted)
    place = wanted.index(requirement.subtask)
    return place, place + 1


def metrics_of(requirement: Requirement) -> tuple[Metric, ...]:
    """The metrics that must not fall."""
    return ("accuracy",) if requirement.metric == "accuracy" else ("precision", "recall")
