"""A method for the engine's own tests: many questions at once, then a search, one at a time."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar

import numpy as np
from numpy.random import Generator

from snellen.changes.identity import Identity
from snellen.changes.recipe import Image, Materials, Recipe
from snellen.contract.method import Unit
from snellen.contract.questions import Question, Questions
from snellen.contract.verdict import TEST, Case, Verdict, status_of
from snellen.scenes.scene import Scene, SceneSet
from snellen.vision.events import compare_predictions


@dataclass(frozen=True)
class Shifted(Recipe):
    """The scene rolled to the right by some pixels."""

    kind: ClassVar[str] = "test-shifted"
    pixels: int

    def build(self, scene: Scene, materials: Materials) -> Image:
        return np.roll(scene.pixels(), self.pixels, axis=1)


@dataclass(frozen=True)
class Deadly(Recipe):
    """A recipe that kills the process that builds it."""

    kind: ClassVar[str] = "test-deadly"

    def build(self, scene: Scene, materials: Materials) -> Image:
        os._exit(7)


@dataclass(frozen=True)
class Faulty(Recipe):
    """A recipe that can't be built."""

    kind: ClassVar[str] = "test-faulty"

    def build(self, scene: Scene, materials: Materials) -> Image:
        raise ValueError("this recipe can't be built")


@dataclass(frozen=True)
class Probing:
    """Four random shifts of each scene, then a bisection of the last one that failed."""

    scenes: SceneSet
    minimum: int = 2
    materials: Materials = field(default_factory=dict)
    facts: Mapping[str, Any] = field(default_factory=dict)
    poison: tuple[str, Recipe] | None = None

    def units(self) -> Sequence[Unit]:
        return [Unit(scene.id, scene) for scene in self.scenes]

    def examine(self, unit: Unit, rng: Generator, allowance: int | None) -> Questions:
        [before] = yield [Question(unit.scene, Identity())]
        recipes: list[Recipe] = [Shifted(int(n)) for n in rng.integers(1, 60, 4)]
        if self.poison is not None and self.poison[0] == unit.id:
            recipes[2] = self.poison[1]
        cases = []
        answers = yield [Question(unit.scene, recipe, ("change",)) for recipe in recipes]
        for recipe, answer in zip(recipes, answers, strict=True):
            events = compare_predictions(before.prediction, answer.prediction, score=0.5)
            cases.append(
                Case(
                    recipe,
                    TEST,
                    status_of(events),
                    answer.prediction,
                    before.prediction,
                    events,
                    answer.measurements,
                )
            )
        reach = 32
        while reach > 1:
            reach //= 2
            [answer] = yield [Question(unit.scene, Shifted(reach))]
            events = compare_predictions(before.prediction, answer.prediction, score=0.5)
            cases.append(
                Case(
                    Shifted(reach), "control:search", status_of(events), answer.prediction, parent=3
                )
            )
        return Verdict(tuple(cases), {"reach": reach})
