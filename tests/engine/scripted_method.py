"""A method and a subject for tests of the engine: answers come from a table."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import ClassVar

import numpy as np
from numpy.random import Generator

from snellen.changes.identity import Identity
from snellen.changes.recipe import Materials, Recipe
from snellen.contract.asked import Asked
from snellen.contract.explanation import Explaining, Explanation, Rung
from snellen.contract.method import Method, Unit
from snellen.contract.questions import Answer, BudgetSpentError, Question, Questions
from snellen.contract.verdict import Case, Status, Verdict, status_of
from snellen.engine.examination import examination
from snellen.scenes.scene import PictureArray, Scene
from snellen.vision.arrays import Image
from snellen.vision.detections import Detections
from snellen.vision.events import compare_predictions

SCENE = Scene("scene", PictureArray(np.zeros((40, 40, 3), np.uint8)), (40, 40))
UNIT = Unit("scene", SCENE)
CIRCLE, SQUARE = (2.0, 2.0, 12.0, 12.0), (20.0, 20.0, 34.0, 34.0)
BOTH = Detections(
    np.array([CIRCLE, SQUARE], np.float32), np.array([0, 1]), np.array([0.9, 0.9], np.float32)
)
LOST_CIRCLE = BOTH[[1]]
LOST_SQUARE = BOTH[[0]]


@dataclass(frozen=True)
class Tinted(Recipe):
    """A recipe that is known by its number alone; nothing is built in these tests."""

    kind: ClassVar[str] = "test-tinted"
    number: int

    def build(self, scene: Scene, materials: Materials) -> Image:
        raise AssertionError("answers are scripted")


@dataclass(frozen=True)
class Scripted(Method):
    """Asks about the scene, then about `count` cases at once, then one by one forever."""

    count: int = 3
    search: bool = False
    repeats: int = 1
    causes: int = 0

    @property
    def confirmations(self) -> int:
        return self.repeats

    @property
    def explains(self) -> bool:
        return self.causes > 0

    @property
    def explained_findings(self) -> int | None:
        return None

    def units(self) -> Sequence[Unit]:
        return [UNIT]

    def examine(self, unit: Unit, rng: Generator) -> Questions:
        [before] = yield [Question(unit.scene, Identity())]
        recipes = [Tinted(number) for number in range(self.count)]
        answers = yield [Question(unit.scene, recipe) for recipe in recipes]
        cases = [
            self.judge(Asked(unit.scene, recipe, answer, before))
            for recipe, answer in zip(recipes, answers, strict=False)
        ]
        try:
            while self.search:
                recipe = Tinted(len(cases))
                [answer] = yield [Question(unit.scene, recipe)]
                cases.append(self.judge(Asked(unit.scene, recipe, answer, before)))
        except BudgetSpentError:
            pass
        return Verdict(tuple(cases))

    def judge(self, asked: Asked) -> Case:
        assert asked.before is not None
        before, after = asked.before.prediction, asked.after.prediction
        events = compare_predictions(before, after, score=0.5)
        return Case(asked.recipe, asked.role, status_of(events), after, before, events)

    def explain(self, case: Case, unit: Unit, rng: Generator) -> Explaining:
        assert isinstance(case.recipe, Tinted)
        evidence: list[Case] = []
        for step in range(self.causes):
            recipe = Tinted(1000 + 10 * case.recipe.number + step)
            [answer] = yield [Question(unit.scene, recipe)]
            evidence.append(self.judge(Asked(unit.scene, recipe, answer, Answer(BOTH))))
        rungs = [Rung("tinted", one, one.status == Status.FAILING) for one in evidence]
        return Explanation("tint", tuple(rungs))


@dataclass
class Drive:
    """What was asked of a scripted subject, and the verdict it led to."""

    verdict: Verdict
    asked: list[Question] = field(default_factory=list)

    @property
    def numbers(self) -> list[int]:
        """The numbers of the cases asked, without repetitions."""
        return [
            one.recipe.number
            for one in self.asked
            if isinstance(one.recipe, Tinted) and not one.repeat
        ]


def drive(
    method: Method,
    answer: Callable[[Question], Detections],
    *,
    allowance: int | None = None,
    steady: bool = True,
) -> Drive:
    """Put the only unit's questions to `answer` until there is a verdict."""
    rng = np.random.default_rng(1)
    work = examination(
        method, UNIT, rng, allowance=allowance, steady=steady, classes=("circle", "square")
    )
    asked: list[Question] = []
    batch = list(next(work))
    while True:
        asked += batch
        try:
            batch = list(work.send([Answer(answer(one)) for one in batch]))
        except StopIteration as end:
            return Drive(end.value, asked)


def loses_circle(question: Question) -> Detections:
    """A deterministic subject that loses the circle in every changed case."""
    return LOST_CIRCLE if isinstance(question.recipe, Tinted) else BOTH
