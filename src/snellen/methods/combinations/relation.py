"""The relation: the labels output are exactly those shown."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from snellen.contract.asked import Asked
from snellen.contract.verdict import Case, Status, status_of
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
        """The correct answer for an image that shows these labels."""
        scores = np.zeros(self.labels, dtype=np.float32)
        scores[list(present)] = 1
        return LabelVector(scores)

    def case(self, asked: Asked, shown: Iterable[int]) -> Case:
        """The judged composition, or part of one, that shows these labels."""
        answer, truth = asked.after.prediction, self.truth(shown)
        assert isinstance(answer, LabelVector)
        present = truth.scores > 0
        events = judge_labels(present, answer, score=self.score, hysteresis=self.hysteresis)
        status = status_of(events)
        if self.strict and events:
            status = Status.FAILING
        measured = {"labels": float(present.sum()), **asked.facts}
        return Case(asked.recipe, asked.role, status, answer, truth, events, measured, asked.parent)
