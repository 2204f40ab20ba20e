"""A method driven by hand: what it asks, and a subject that answers, draws and explains."""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt

from snellen.contract.method import Setting
from snellen.contract.questions import Answer, Question
from snellen.methods.robustness.method import RobustnessMethod
from snellen.methods.robustness.options import RobustnessOptions
from snellen.objects.cutouts.cutout import Cutout
from snellen.objects.library.library import Library
from snellen.objects.library.memory_library import MemoryLibrary
from snellen.scenes.scene import PictureArray, Scene, SceneSet
from snellen.subjects.subject import Task
from snellen.vision.detections import Detections

R = TypeVar("R")
SIZE = (150, 200)
BOX = (80.0, 55.0, 120.0, 95.0)


@dataclass
class Explaining:
    """Finds one cat in its place in every image; draws move its box; its heat is where it says."""

    heat: npt.NDArray[np.float32] | None = None
    draws: bool = True
    wobble: float = 2.0
    name: str = "explaining"
    task: Task = Task.DETECTION
    classes: tuple[str, ...] = ("cat", "dog")
    fingerprint: str = "x"
    score: float = 0.5
    batch: int = 4
    deterministic: bool = True
    tolerance: float = 0.0
    asked: list[Question] = field(default_factory=list)

    def heat_map(self, image: Any, box: Sequence[float], label: int) -> npt.NDArray[np.float32]:
        """The heat that was given."""
        assert image.shape[:2] == SIZE
        assert label == 0
        assert tuple(box) == BOX
        return np.zeros(SIZE, np.float32) if self.heat is None else self.heat

    def answer(self, question: Question) -> Answer:
        """A cat; by draw n its left border is n * wobble further left."""
        self.asked.append(question)
        x1, y1, x2, y2 = BOX
        box = [x1 - question.draw * self.wobble, y1, x2, y2]
        return Answer(Detections([box], [0], [0.9]))  # type: ignore[arg-type]

    def predict(self, images: Sequence[Any]) -> Sequence[Any]:
        """Not asked this way."""
        raise NotImplementedError

    def close(self) -> None:
        """Nothing to let go of."""


def scene_of() -> Scene:
    """A grey scene."""
    rng = np.random.default_rng(4)
    pixels = rng.integers(90, 160, (*SIZE, 3), dtype=np.uint8)
    return Scene("grey", PictureArray(pixels), SIZE)


def library_of(count: int = 6) -> Library:
    """Discs of different sizes and shades; cats and dogs in turn."""
    made = []
    for n in range(count):
        side = 24 + 4 * n
        y, x = np.indices((side, side)) - side / 2 + 0.5
        pixels = np.full((side, side, 4), 40 + 30 * n, dtype=np.uint8)
        pixels[: side // (n + 2), :, :3] = 250
        pixels[..., 3] = np.where(np.hypot(x, y) <= side / 2, 255, 0)
        made.append(Cutout(("cat", "dog")[n % 2], pixels, source=f"scene {n}"))
    return MemoryLibrary(made)


def method_of(subject: Explaining, library: Library | None = None, **options: Any) -> Any:
    """The method with a subject, a grey scene and discs."""
    scenes = SceneSet((scene_of(),), subject.classes, (1, 2))
    setting = Setting(subject, scenes, Path(), 1)
    given = RobustnessOptions(**options)
    return RobustnessMethod(given, setting, library or library_of())


def driven(
    questions: Generator[Sequence[Question], Sequence[Answer], R],
    answer: Callable[[Question], Answer],
) -> R:
    """What a generator of questions comes to, each answered by a function."""
    try:
        asked = next(questions)
        while True:
            asked = questions.send([answer(one) for one in asked])
    except StopIteration as end:
        result: R = end.value
        return result
