"""A method for the engine's own tests: many questions at once, then a search, one at a time."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np
from numpy.random import Generator

from snellen.changes.identity import Identity
from snellen.changes.recipe import Materials, Recipe
from snellen.contract.asked import Asked
from snellen.contract.method import Method, Unit
from snellen.contract.questions import Question, Questions
from snellen.contract.verdict import Case, Verdict, status_of
from snellen.scenes.scene import Scene, SceneSet
from snellen.vision.arrays import Image
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
class Probing(Method):
    """Four random shifts of each scene, then a bisection of the last one that failed."""

    scenes: SceneSet
    poison: tuple[str, Recipe] | None = None

    def units(self) -> Sequence[Unit]:
        return [Unit(scene.id, scene) for scene in self.scenes]

    def examine(self, unit: Unit, rng: Generator) -> Questions:
        scene = unit.scene
        [before] = yield [Question(scene, Identity())]
        recipes: list[Recipe] = [Shifted(int(n)) for n in rng.integers(1, 60, 4)]
        if self.poison is not None and self.poison[0] == unit.id:
            recipes[2] = self.poison[1]
        answers = yield [Question(scene, recipe, ("change",)) for recipe in recipes]
        cases = [
            self.judge(Asked(scene, recipe, answer, before))
            for recipe, answer in zip(recipes, answers, strict=True)
        ]
        reach = 32
        while reach > 1:
            reach //= 2
            [answer] = yield [Question(scene, Shifted(reach))]
            asked = Asked(scene, Shifted(reach), answer, before, "control:search", parent=3)
            cases.append(replace(self.judge(asked), before=None, events=(), measurements={}))
        return Verdict(tuple(cases), {"reach": reach})

    def judge(self, asked: Asked) -> Case:
        assert asked.before is not None
        before, after = asked.before.prediction, asked.after.prediction
        events = compare_predictions(before, after, score=0.5)
        measured, status = asked.after.measurements, status_of(events)
        return Case(asked.recipe, asked.role, status, after, before, events, measured, asked.parent)
