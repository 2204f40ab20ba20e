"""Requirements from the thresholds of subtasks: Procedures 1 and 2 of DecompoVision.

A subtask's requirement is a conjunction over all thresholds of its task that do not exceed its own,
so that requirements of subtasks can be composed over the same range of change. The whole task gets
the smallest threshold, as it is at least as hard as its hardest subtask. A subtask shared by
several tasks is one requirement: its conjunction is over the thresholds of all of them.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

from snellen.errors import UserError
from snellen.methods.human.people import ThresholdSource
from snellen.methods.human.subtasks import SUBTASKS, WHOLE, Kind, SubtaskName, TaskName
from snellen.methods.requirements.specification.idle_thresholds import warn_of_idle
from snellen.methods.requirements.specification.requirement import (
    CONFIDENCE,
    HUMAN,
    MARGIN,
    Metric,
    Requirement,
    RequirementFile,
)

Common: TypeAlias = Mapping[str, Any]
"""Margin and confidence."""


@dataclass(frozen=True)
class KnownThresholds:
    """The human thresholds of one label, transformation and kind.

    measure: of visual change. thresholds: of subtasks, each with its source.
    direct: of whole tasks, estimated directly.
    """

    label: str
    transformation: str
    kind: Kind
    measure: str
    thresholds: Mapping[SubtaskName, tuple[float, ThresholdSource]]
    direct: Mapping[TaskName, float]


def conjunction(own: float, thresholds: Iterable[float]) -> tuple[float, ...]:
    """The thresholds that do not exceed `own`, rising.

    >>> conjunction(0.9, [0.9, 0.9, 0.6])
    (0.6, 0.9)
    """
    return tuple(sorted({one for one in thresholds if one <= own}))


def generate_requirements(
    human: Sequence[KnownThresholds],
    tasks: Sequence[TaskName],
    margin: float | Literal["human"] = MARGIN,
    confidence: float = CONFIDENCE,
) -> tuple[Requirement, ...]:
    """The requirements of tasks from human thresholds; a shared subtask is one requirement.

    margin: the loss tolerated of a whole task, of which each of its parts gets an equal share; or
    `human` for what people lose. Logs a warning for those that demand nothing.
    """
    wanted = tuple(task for task in SUBTASKS if task in tasks)
    found = [one for each in human for one in _requirements_of(each, wanted, margin, confidence)]
    if not found:
        raise UserError("found no thresholds. Give a --source or a --thresholds file.")
    warn_of_idle(found)
    return RequirementFile(requirements=tuple(found)).requirements


def _requirements_of(
    human: KnownThresholds,
    tasks: tuple[TaskName, ...],
    margin: float | Literal["human"],
    confidence: float,
) -> list[Requirement]:
    for task in tasks:
        _check(human, task)
    used: dict[SubtaskName, list[TaskName]] = {}
    for task in tasks:
        for subtask in SUBTASKS[task]:
            used.setdefault(subtask, []).append(task)
    common: Common = {"margin": margin, "confidence": confidence}
    parts = [
        _of_subtask(human, subtask, tuple(of), {**common, "margin": part_margin(margin, of)})
        for subtask, of in used.items()
    ]
    return parts + [_of_whole(human, task, common) for task in tasks]


def part_margin(
    margin: float | Literal["human"], tasks: Iterable[TaskName]
) -> float | Literal["human"]:
    """The margin of a subtask of some tasks: an equal share, so that parts add up to the whole.

    >>> part_margin(0.02, ["detection"]), part_margin(0.02, ["detection", "segmentation"])
    (0.01, 0.0066)
    """
    if margin == HUMAN:
        return HUMAN
    share = float(margin) / max(len(SUBTASKS[task]) for task in tasks)
    return math.floor(1e4 * share + 1e-6) / 1e4 or share


def _check(human: KnownThresholds, task: TaskName) -> None:
    missing = [one for one in SUBTASKS[task] if one not in human.thresholds]
    if missing:
        has = ", ".join(human.thresholds) or "none"
        raise UserError(
            f"{task} of {human.label} under {human.transformation} ({human.kind}) needs a "
            f"threshold for {', '.join(missing)}; found: {has}. Estimate it with "
            "`snellen thresholds DATA --json`, or choose a task that does not need it."
        )


def _of_subtask(
    human: KnownThresholds,
    subtask: SubtaskName,
    tasks: tuple[TaskName, ...],
    common: Common,
) -> Requirement:
    own, source = human.thresholds[subtask]
    related = [human.thresholds[one][0] for task in tasks for one in SUBTASKS[task]]
    return _requirement(human, subtask, tasks, conjunction(own, related), source, common)


def _of_whole(human: KnownThresholds, task: TaskName, common: Common) -> Requirement:
    hardest = min(SUBTASKS[task], key=lambda one: human.thresholds[one][0])
    smallest, source = human.thresholds[hardest]
    if len(SUBTASKS[task]) > 1:
        source = source.model_copy(update={"people": None})
    naive = human.direct.get(task)
    return _requirement(human, WHOLE, (task,), (smallest,), source, common, naive)


def _requirement(
    human: KnownThresholds,
    subtask: SubtaskName,
    tasks: tuple[TaskName, ...],
    thresholds: tuple[float, ...],
    source: ThresholdSource,
    common: Common,
    naive: float | None = None,
) -> Requirement:
    part = tasks[0] if subtask == WHOLE else subtask
    metric: Metric = "accuracy" if tasks == ("classification",) else "recall-and-precision"
    return Requirement(
        name="-".join((human.label, human.transformation, part, human.kind)).replace(" ", "-"),
        task=tasks[0],
        shared_with=tasks[1:],
        subtask=subtask,
        label=human.label,
        transformation=human.transformation,
        measure=human.measure,
        kind=human.kind,
        threshold=thresholds[-1],
        thresholds=thresholds,
        naive=naive,
        metric=metric,
        source=source.model_copy(update={"measure": human.measure}),
        **common,
    )
