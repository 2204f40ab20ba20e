"""The relation: the labels that come out are exactly those that were put in."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from snellen.changes.compose.compose import Compose
from snellen.contract.verdict import Case, Status, status_of
from snellen.subjects.subject import Prediction
from snellen.vision.label_events import judge_labels
from snellen.vision.label_vector import LabelVector


@dataclass(frozen=True)
class CombinationsRelation:
    """Judges compositions. labels: how many the subject has. strict: any difference fails."""

    labels: int
    score: float
    hysteresis: float
    strict: bool = False

    def truth(self, present: Iterable[int]) -> LabelVector:
        """What the answer must be for an image that shows these labels."""
        scores = np.zeros(self.labels, dtype=np.float32)
        scores[list(present)] = 1
        return LabelVector(scores)

    def case(
        self,
        recipe: Compose,
        truth: LabelVector,
        answer: Prediction,
        role: str,
        *,
        overlap: float | None = None,
        parent: int | None = None,
    ) -> Case:
        """A composition, judged."""
        assert isinstance(answer, LabelVector)
        present = truth.scores > 0
        events = judge_labels(present, answer, score=self.score, hysteresis=self.hysteresis)
        status = status_of(events)
        if self.strict and events:
            status = Status.FAILING
        told = {"labels": float(present.sum())}
        if overlap is not None:
            told["overlap"] = round(overlap, 4)
        return Case(recipe, role, status, answer, truth, events, told, parent)
