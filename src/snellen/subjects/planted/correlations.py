"""Faults of a classifier that has learned correlations between labels."""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum
from typing import NamedTuple

from snellen.errors import SubjectError
from snellen.subjects.planted.chance import chance, image_digest
from snellen.subjects.subject import Prediction, Subject
from snellen.subjects.wrapper import Wrapper
from snellen.vision.arrays import Bools, Image
from snellen.vision.label_vector import LabelVector


class Habit(StrEnum):
    """How a classifier errs on a first and a second label.

    extra: reports the second wherever the first is present. missing: misses the first where the
    second is present. mismatch: reports the second in place of the first where only the first is
    present.
    """

    EXTRA = "extra"
    MISSING = "missing"
    MISMATCH = "mismatch"


class Correlation(NamedTuple):
    """One habit. first, second: ids of classes."""

    habit: Habit
    first: int
    second: int

    def strikes(self, shown: Bools, with_others: bool) -> bool:
        """Whether an answer changes. shown: (C,) which labels are present."""
        if not shown[self.first] or bool(shown[self.second]) != (self.habit == Habit.MISSING):
            return False
        return not with_others or int(shown.sum()) > 1


class CorrelatedClassifier(Wrapper):
    """A classifier with habits, which depend only on its labels, the pixels and the seed.

    Each habit acts on the wrapped subject's answer, not on the result of other habits; a label that
    one removes and another adds is present. with_others: a habit strikes only if another label is
    present besides its first, so that a single object is always recognised. rate: the share of the
    possible images in which a habit strikes.

    >>> from snellen.subjects.planted.perfect_classifier import PerfectClassifier
    >>> tomatoes_with_lemon = Correlation(Habit.EXTRA, 0, 1)
    >>> CorrelatedClassifier(PerfectClassifier(), [tomatoes_with_lemon]).name
    'perfect, as classifier, correlates'
    """

    def __init__(
        self,
        subject: Subject,
        correlations: Sequence[Correlation],
        *,
        with_others: bool = False,
        rate: float = 1.0,
        seed: int = 0,
    ) -> None:
        unique = sorted({(one.habit.value, one.first, one.second) for one in correlations})
        super().__init__(subject, "correlates", unique, subject.score, with_others, rate, seed)
        self.correlations = tuple(Correlation(Habit(a), b, c) for a, b, c in unique)
        self.with_others, self.rate, self.seed = with_others, rate, seed

    def predict(self, images: Sequence[Image]) -> Sequence[LabelVector]:
        """The wrapped subject's answers with the habits."""
        answers = self.subject.predict(images)
        return [self._habitual(image, one) for image, one in zip(images, answers, strict=True)]

    def _habitual(self, image: Image, answer: Prediction) -> LabelVector:
        if not isinstance(answer, LabelVector):
            raise SubjectError(f"'{self.subject.name}' returned boxes, expected label scores")
        shown = answer.present(self.score)
        able = [one for one in self.correlations if one.strikes(shown, self.with_others)]
        struck = [one for one in able if self._drawn(one, image)]
        scores = answer.scores.copy()
        removed = [one.first for one in struck if one.habit != Habit.EXTRA]
        added = [one for one in struck if one.habit != Habit.MISSING]
        scores[removed] = 0
        for one in added:
            scores[one.second] = answer.scores[one.first]
        return LabelVector(scores)

    def _drawn(self, one: Correlation, image: Image) -> bool:
        return self.rate >= 1 or chance(self.seed, *one, image_digest(image)) < self.rate
