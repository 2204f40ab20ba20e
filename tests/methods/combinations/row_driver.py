"""One row examined without an engine: a rule answers for the subject."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from snellen.changes.compose.compose import Compose
from snellen.contract.method import Setting
from snellen.contract.questions import Answer, Question
from snellen.contract.verdict import Verdict
from snellen.engine.examination import examination
from snellen.methods.combinations.method import CombinationsMethod
from snellen.methods.combinations.options import CombinationOptions
from snellen.methods.combinations.preparation import PreparedRows
from snellen.objects.cutouts.cutout import Cutout
from snellen.objects.library.memory_library import MemoryLibrary
from snellen.scenes.scene import SceneSet
from snellen.subjects.subject import Task
from snellen.vision.label_vector import LabelVector

CLASSES = ("a", "b", "c", "d", "e", "f")
Rule = Callable[[frozenset[str]], set[str]]
"""From the labels shown to those that the subject sees."""


@dataclass
class Traits:
    """What a method looks at of a subject."""

    name: str = "rule"
    task: Task = Task.LABELS
    classes: tuple[str, ...] = CLASSES
    fingerprint: str = "rule"
    score: float = 0.5
    batch: int = 1
    deterministic: bool = True
    tolerance: float = 0.0

    def predict(self, images: Any) -> Any:
        raise AssertionError("the engine asks, not the method")

    def close(self) -> None:
        pass


def library() -> MemoryLibrary:
    """Three cut-outs a label: a square, a disc and an angle, of different sizes."""
    cutouts = []
    for number, label in enumerate(CLASSES):
        for size in (20, 31, 44):
            pixels = np.full((size, size, 4), 255, dtype=np.uint8)
            pixels[..., 0] = 30 * number
            rows, columns = np.mgrid[:size, :size] - (size - 1) / 2
            if size == 31:
                pixels[rows**2 + columns**2 > (size / 2) ** 2, 3] = 0
            if size == 44:
                pixels[(rows < 0) & (columns > 0), 3] = 0
            cutouts.append(Cutout(label, pixels))
    return MemoryLibrary(cutouts)


def method(
    present: tuple[int, ...], traits: Traits | None = None, **options: Any
) -> CombinationsMethod:
    """The method with one row."""
    objects = library()
    chosen = CombinationOptions.model_validate({"images": 3, "controls": 0, **options}).published()
    entries = [objects.entries(CLASSES[label]) for label in present]
    hands = tuple(tuple(one[n % 3] for n in range(chosen.images)) for one in entries)
    setting = Setting(traits or Traits(), SceneSet(()), Path(), 1, {})
    return CombinationsMethod(chosen, setting, PreparedRows(objects, {}, (present,), [hands], {}))


@dataclass
class Examined:
    """A row's verdict and the questions that led to it."""

    verdict: Verdict
    questions: list[Question]

    def shown(self, number: int) -> frozenset[str]:
        """The labels that a case shows."""
        recipe = self.verdict.cases[number].recipe
        assert isinstance(recipe, Compose)
        return labels_of(recipe)


LABELS = {entry.id: label for label in CLASSES for entry in library().entries(label)}


def labels_of(recipe: Compose) -> frozenset[str]:
    return frozenset(LABELS[one[0]] for one in recipe.placed)


def scores(seen: set[str], high: float = 0.9) -> LabelVector:
    return LabelVector(np.array([high if one in seen else 0.0 for one in CLASSES], np.float32))


def examined(
    tested: CombinationsMethod,
    answer: Callable[[Question], LabelVector],
    allowance: int | None = None,
    seed: int = 3,
) -> Examined:
    """Put the only row's questions to `answer`."""
    [unit] = tested.units()
    steady = tested.setting.subject.deterministic
    rng = np.random.default_rng(seed)
    questions = examination(tested, unit, rng, allowance=allowance, steady=steady, classes=CLASSES)
    asked: list[Question] = []
    batch = list(next(questions))
    while True:
        asked += batch
        try:
            batch = list(questions.send([Answer(answer(one)) for one in batch]))
        except StopIteration as end:
            return Examined(end.value, asked)


def by_rule(rule: Rule) -> Callable[[Question], LabelVector]:
    """Answers that depend on the labels shown alone."""

    def answer(question: Question) -> LabelVector:
        assert isinstance(question.recipe, Compose)
        return scores(rule(labels_of(question.recipe)))

    return answer
