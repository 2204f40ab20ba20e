"""The evidence for requirements: every case of a run with its outcomes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from snellen.objects.label_names import plain_name
from snellen.vision.arrays import F64, Bools, Ints, Texts
from snellen.vision.decomposition.subtask_curves import stage_counts
from snellen.vision.decomposition.subtask_outcomes import SubtaskOutcomes

CLEAN = ""
"""The transformation of an unchanged scene."""


@dataclass(frozen=True, eq=False)
class RunEvidence:
    """N cases of one kind of requirement.

    kind: `correctness` (the truth is the annotation) or `preservation` (the truth is the subject's
    answer to the unchanged scene). subtasks: names, in order. scene: (N,) index of each case's
    scene. transformation: N names, "" for the unchanged scene. delta_v: (N,) measured visual
    change. outcomes: of each case, down to the subject's lowest score. score: the operating
    threshold. classes: the subject's.
    """

    kind: str
    subtasks: tuple[str, ...]
    scene: Ints
    transformation: Texts
    delta_v: F64
    outcomes: tuple[SubtaskOutcomes, ...]
    score: float
    classes: tuple[str, ...]

    @property
    def scenes(self) -> int:
        """How many scenes there are."""
        return int(self.scene.max(initial=-1)) + 1

    def label(self, name: str) -> int | None:
        """The id of a label by normalised name; None for `any`."""
        if name == "any":
            return None
        return [plain_name(one) for one in self.classes].index(plain_name(name))

    def counts(self, label: int | None) -> Ints:
        """(N, 2, stages + 1): detections and objects that passed at least that many subtasks."""
        stages = len(self.subtasks)
        found = [stage_counts(one.above(self.score), label, stages) for one in self.outcomes]
        return np.array(found, dtype=np.int64).reshape(-1, 2, stages + 1)

    def chosen(self, transformation: str, low: float, high: float) -> Bools:
        """(N,) cases of a transformation with low < delta_v <= high; low < 0 includes 0."""
        within = (self.delta_v > low) & (self.delta_v <= high)
        return np.asarray((self.transformation == transformation) & within)


def outcomes_to_json(outcomes: SubtaskOutcomes) -> list[list[Any]]:
    """Plain values: columns of detections, the objects, and the object of each detection.

    >>> one = SubtaskOutcomes(
    ...     *(np.array([n]) for n in (0.5, 1, -1, 0)), np.array([2, 2]), np.array([-1])
    ... )
    >>> outcomes_to_json(one)
    [[0.5], [1], [-1], [0], [2, 2], [-1]]
    """
    score = np.round(outcomes.score.astype(np.float64), 4).tolist()
    rest = (outcomes.label, outcomes.truth, outcomes.stage, outcomes.objects, outcomes.object)
    return [score, *(column.tolist() for column in rest if column is not None)]


def outcomes_from_json(values: Sequence[Sequence[Any]]) -> SubtaskOutcomes:
    """What `outcomes_to_json` wrote; older runs lack the last column."""
    score, *rest = values
    columns = (np.array(column, dtype=np.int64) for column in rest)
    return SubtaskOutcomes(np.array(score, dtype=np.float32), *columns)


def evidence(
    units: Sequence[Mapping[str, Any]],
    kind: str,
    subtasks: Sequence[str],
    score: float,
    classes: Sequence[str],
) -> RunEvidence:
    """The cases of one kind from the notes of a run's units, each with a list `cases`.

    A case has `transformation`, `delta_v`, and outcomes under the kind's name where it has any.
    """
    rows = [
        (place, case)
        for place, unit in enumerate(units)
        for case in unit.get("cases", ())
        if case.get(kind) is not None
    ]
    return RunEvidence(
        kind,
        tuple(subtasks),
        np.array([place for place, _ in rows], dtype=np.int64),
        np.array([case["transformation"] for _, case in rows], dtype=np.str_),
        np.array([case["delta_v"] for _, case in rows], dtype=np.float64),
        tuple(outcomes_from_json(case[kind]) for _, case in rows),
        score,
        tuple(classes),
    )
