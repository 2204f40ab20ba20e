"""Multi-label classifiers, and detectors used as classifiers: one score per class."""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum

import numpy as np
import numpy.typing as npt

from snellen.errors import UserError
from snellen.subjects.answers.prediction_checks import detections_of
from snellen.subjects.subject import Subject, Task
from snellen.subjects.wrapper import Wrapper
from snellen.vision.arrays import F32, Image
from snellen.vision.label_vector import LabelVector


class Activation(StrEnum):
    """The function that turns a classifier's raw outputs into scores."""

    SIGMOID = "sigmoid"
    SOFTMAX = "softmax"
    NONE = "none"


def label_scores(logits: npt.ArrayLike, activation: Activation | str) -> F32:
    """The scores of raw outputs, (C,) or (B, C), in [0, 1] for sigmoid and softmax.

    Sigmoid is for several labels per image, softmax for exactly one, none for outputs that are
    already scores. Large values do not overflow.

    >>> label_scores([0.0, 1000.0], "sigmoid").tolist()
    [0.5, 1.0]
    """
    raw = np.asarray(logits, dtype=np.float64)
    match Activation(activation):
        case Activation.SIGMOID:
            small = np.exp(-np.abs(raw))
            scores = np.where(raw >= 0, 1, small) / (1 + small)
        case Activation.SOFTMAX:
            small = np.exp(raw - raw.max(axis=-1, keepdims=True))
            scores = small / small.sum(axis=-1, keepdims=True)
        case Activation.NONE:
            scores = raw
    return np.asarray(scores, dtype=np.float32)


class ClassifierView(Wrapper):
    """A detector as a multi-label classifier: the highest score of each class, else 0."""

    def __init__(self, subject: Subject, score: float | None = None) -> None:
        super().__init__(subject, "as classifier")
        self.task = Task.LABELS
        self.score = subject.score if score is None else score

    def predict(self, images: Sequence[Image]) -> Sequence[LabelVector]:
        """One score vector per image."""
        return [
            LabelVector.of_detections(answer, len(self.classes))
            for answer in detections_of(self.subject, images)
        ]


def as_classifier(subject: Subject, score: float | None = None) -> Subject:
    """The subject as a multi-label classifier; a classifier is returned unchanged.

    score: the threshold above which a label counts as present; by default the detector's own.
    Scores below the detector's floor become 0.
    """
    if subject.task != Task.LABELS:
        return ClassifierView(subject, score)
    if score is not None and score != subject.score:
        raise UserError(
            f"'{subject.name}' is already a classifier, with the threshold {subject.score}. "
            "Set its own score option instead."
        )
    return subject
