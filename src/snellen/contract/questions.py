"""Questions that a method puts to the subject, and the answers it gets."""

from __future__ import annotations

from collections.abc import Generator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

from snellen.changes.recipe import Recipe
from snellen.contract.verdict import Verdict
from snellen.scenes.scene import Scene
from snellen.subjects.subject import Prediction
from snellen.vision.detections import Detections


@dataclass(frozen=True, eq=False)
class Question:
    """A scene and a recipe put to the subject.

    measures: measurements of the case to return with the answer. repeat: 0 accepts a cached answer;
    n > 0 is the n-th repetition, which always reaches the subject. draw: 0 is the usual answer;
    n > 0 asks a subject that `Draws` for its n-th draw.
    """

    scene: Scene
    recipe: Recipe
    measures: tuple[str, ...] = ()
    repeat: int = 0
    draw: int = 0


@dataclass(frozen=True, eq=False)
class Answer:
    """The subject's prediction, rounded, and the measurements asked for."""

    prediction: Prediction
    measurements: Mapping[str, float] = field(default_factory=dict)


class BudgetSpentError(Exception):
    """Raised in a method that asks more after its budget is spent.

    A search catches it to return what it has. A method that does not catch it leaves its unit
    without a verdict.
    """


Questions: TypeAlias = Generator[Sequence[Question], Sequence[Answer], Verdict]
"""A method examining one unit: yields lists of questions, receives answers in the same order.

There are as many answers as questions, unless the budget runs out among them: then the first ones
are answered, and the next question raises `BudgetSpentError`. So a method asks the most valuable
questions first and pairs them with answers by `zip`.
"""


def detections_in(answer: Answer) -> Detections:
    """The answer of a detector."""
    assert isinstance(answer.prediction, Detections)
    return answer.prediction
