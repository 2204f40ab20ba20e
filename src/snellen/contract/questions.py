"""Questions that a method puts to the subject, and the answers it gets."""

from __future__ import annotations

from collections.abc import Generator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

from snellen.changes.recipe import Recipe
from snellen.contract.verdict import Verdict
from snellen.scenes.scene import Scene
from snellen.subjects.subject import Prediction


@dataclass(frozen=True, eq=False)
class Question:
    """A scene and a recipe put to the subject.

    measures: measurements of the case that the answer shall carry. repeat: 0 takes a stored answer
    where there is one; n > 0 is the n-th asking anew, which always reaches the subject. draw: 0 is
    as usual; n > 0 asks a subject that `Draws` for its n-th draw.
    """

    scene: Scene
    recipe: Recipe
    measures: tuple[str, ...] = ()
    repeat: int = 0
    draw: int = 0


@dataclass(frozen=True, eq=False)
class Answer:
    """The subject's prediction, rounded as DESIGN says, and the measurements asked for."""

    prediction: Prediction
    measurements: Mapping[str, float] = field(default_factory=dict)


class BudgetSpentError(Exception):
    """Thrown into a method that asks for more than its budget.

    A method may catch it to return a verdict on what it has.
    """


Questions: TypeAlias = Generator[Sequence[Question], Sequence[Answer], Verdict]
"""A method at work on one unit: yields lists of questions, receives as many answers."""
