"""Every detection and object of the evidence in flat columns, counted without a loop over cases."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from snellen.methods.requirements.evidence.run_evidence import RunEvidence
from snellen.vision.arrays import Bools, Ints, Scores
from snellen.vision.decomposition.subtask_outcomes import pooled


@dataclass(frozen=True, eq=False)
class CaseTable:
    """N cases with D detections, highest score first, and M objects.

    case, score, label, truth, stage: (D,), as in `SubtaskOutcomes`, with the case of each. object:
    (D,) the object of each, -1 for none; None if unknown. object_case, object_label: (M,).
    """

    evidence: RunEvidence
    case: Ints
    score: Scores
    label: Ints
    truth: Ints
    stage: Ints
    object_case: Ints
    object_label: Ints
    object: Ints | None

    @property
    def cases(self) -> int:
        """How many cases there are."""
        return len(self.evidence.scene)

    def counts(self, label: int | None, score: float | None = None) -> Ints:
        """(N, 2, stages + 1): detections and objects that passed at least that many subtasks.

        label: None for all. score: the operating threshold, the evidence's own by default.
        """
        least = np.float32(self.evidence.score if score is None else score)
        reported = self.score >= least
        levels = range(len(self.evidence.subtasks) + 1)
        of_label, matched = self.sides(label)
        columns = [
            [np.bincount(self.case[side & reported & (self.stage >= at)], minlength=self.cases)
             for at in levels]
            for side in (of_label, matched)
        ]  # fmt: skip
        columns[1][0] = self.objects(label)
        return np.array(columns, dtype=np.int64).transpose(2, 0, 1)

    def object_levels(self) -> Ints | None:
        """(M,) how many subtasks each object passed at the operating threshold; None if unknown."""
        if self.object is None:
            return None
        found = (self.score >= np.float32(self.evidence.score)) & (self.object >= 0)
        levels = np.zeros(len(self.object_case), dtype=np.int64)
        np.maximum.at(levels, self.object[found], self.stage[found])
        return levels

    def objects(self, label: int | None) -> Ints:
        """(N,) objects of a label in each case."""
        wanted = slice(None) if label is None else self.object_label == label
        return np.bincount(self.object_case[wanted], minlength=self.cases)

    def sides(self, label: int | None) -> tuple[Bools, Bools]:
        """(D,) detections of the label, and detections matched with an object of it."""
        if label is None:
            return np.ones(len(self.case), dtype=bool), self.truth >= 0
        return self.label == label, self.truth == label


def case_table(evidence: RunEvidence) -> CaseTable:
    """The evidence in columns; reuse it for several requirements."""
    every = pooled(evidence.outcomes)
    cases = np.arange(len(evidence.outcomes))
    case = np.repeat(cases, [len(one) for one in evidence.outcomes])
    object_case = np.repeat(cases, [len(one.objects) for one in evidence.outcomes])
    order = np.argsort(-every.score, kind="stable")
    return CaseTable(
        evidence,
        case[order],
        every.score[order],
        every.label[order],
        every.truth[order],
        every.stage[order],
        object_case,
        every.objects,
        None if every.object is None else every.object[order],
    )
