"""Subjects with a planted cause of failing, driven by hand on scenes of random boxes.

A subject finds every object of the scene and what was inserted, and loses the objects that its
fault strikes. Faults look at the recipe, or at the pixels of the case.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from snellen.changes.identity import Identity
from snellen.changes.paste.insert import Insert
from snellen.changes.paste.patch import Patch
from snellen.changes.recipe import Recipe
from snellen.contract.method import Method, Setting
from snellen.contract.questions import Answer, Question
from snellen.contract.verdict import Verdict
from snellen.engine.examination import examination
from snellen.methods.insertion.method import InsertionMethod
from snellen.methods.insertion.options import InsertionOptions
from snellen.methods.robustness.method import RobustnessMethod
from snellen.methods.robustness.options import RobustnessOptions
from snellen.objects.cutouts.cutout import Cutout
from snellen.objects.library.memory_library import MemoryLibrary
from snellen.scenes.scene import PictureArray, Scene, SceneSet
from snellen.subjects.subject import Task
from snellen.vision.detections import Detections
from tests.methods.robustness.scene_driver import driven

SIZE = (180, 240)
CLASSES = ("cat", "dog", "fox")
REACH = 12.0
Box = tuple[float, float, float, float]
Fault = Callable[[Recipe, Box], bool]
"""Whether a change of the scene makes the subject lose the object in a box."""


def disc(label: str, seed: int) -> Cutout:
    """A speckled disc."""
    rng = np.random.default_rng([seed, CLASSES.index(label)])
    side = int(rng.integers(24, 36))
    pixels = rng.integers(0, 255, (side, side, 4), dtype=np.uint8)
    y, x = np.indices((side, side)) - side / 2 + 0.5
    pixels[..., 3] = np.where(np.hypot(x, y) <= side / 2, 255, 0)
    return Cutout(label, pixels, source=f"{label} {seed}")


LIBRARY = MemoryLibrary([disc(label, seed) for label in CLASSES for seed in range(5)])
LABELS = {e.id: label for label in CLASSES for e in LIBRARY.entries(label)}
MATERIALS = {"objects": LIBRARY}


@dataclass
class BoxScene:
    """A noisy picture with two or three objects at random places, all of one class or mixed."""

    seed: int

    def __post_init__(self) -> None:
        rng = np.random.default_rng(self.seed)
        pixels = rng.integers(60, 200, (*SIZE, 3), dtype=np.uint8)
        self.scene = Scene(f"scene {self.seed}", PictureArray(pixels), SIZE)
        boxes = list[Box]()
        while len(boxes) < 2 + self.seed % 2:
            side, x, y = rng.integers(26, 36), rng.integers(5, 195), rng.integers(5, 140)
            box = (float(x), float(y), float(x + side), float(y + side))
            if all(gap(box, other) > 20 for other in boxes):
                boxes.append(box)
        self.boxes = boxes
        self.labels = rng.integers(len(CLASSES), size=len(boxes)).tolist()


@dataclass
class PlantedPaste:
    """Loses every object that its fault strikes.

    sure: the score of what it finds. faint: that of what is struck, if it is not gone entirely.
    """

    fault: Fault
    sure: float = 0.9
    faint: float | None = None
    name: str = "planted"
    task: Task = Task.DETECTION
    classes: tuple[str, ...] = CLASSES
    fingerprint: str = "x"
    score: float = 0.5
    batch: int = 4
    deterministic: bool = True
    tolerance: float = 0.0

    def answer(self, world: BoxScene, question: Question) -> Answer:
        """What it finds in a case."""
        recipe = question.recipe
        found = [
            (box, label, self.faint if self.fault(recipe, box) else self.sure)
            for box, label in zip(world.boxes, world.labels, strict=True)
        ]
        if isinstance(recipe, Insert) and recipe.opacity > 0.3:
            found.append((box_of(recipe), CLASSES.index(LABELS[recipe.object]), self.sure))
        found = [one for one in found if one[2] is not None]
        if not found:
            return Answer(Detections.empty())
        return Answer(Detections(*map(list, zip(*found, strict=True))))  # type: ignore[arg-type]

    def predict(self, images: Sequence[Any]) -> Sequence[Any]:
        """Not asked this way."""
        raise NotImplementedError

    def close(self) -> None:
        """Nothing to let go of."""


def box_of(recipe: Insert | Patch) -> Box:
    """The rectangle that is pasted into."""
    return (recipe.x, recipe.y, recipe.x + recipe.width, recipe.y + recipe.height)


def gap(a: Box, b: Box) -> float:
    """Pixels between two boxes."""
    dx, dy = max(0, a[0] - b[2], b[0] - a[2]), max(0, a[1] - b[3], b[1] - a[3])
    return float(np.hypot(dx, dy))


def changes(recipe: Recipe) -> bool:
    """Whether something other than the scene itself is pasted."""
    if isinstance(recipe, Patch):
        return (recipe.x, recipe.y) != (recipe.from_x, recipe.from_y)
    return isinstance(recipe, Insert)


def near(recipe: Recipe, box: Box) -> bool:
    """Whether something is pasted within reach of a box."""
    assert isinstance(recipe, Insert | Patch)
    return gap(box_of(recipe), box) <= REACH


def by_object(recipe: Recipe, box: Box) -> bool:
    """A cat nearby."""
    return isinstance(recipe, Insert) and LABELS[recipe.object] == "cat" and near(recipe, box)


def by_object_anywhere(recipe: Recipe, box: Box) -> bool:
    """A cat anywhere."""
    return isinstance(recipe, Insert) and LABELS[recipe.object] == "cat"


def by_place(recipe: Recipe, box: Box) -> bool:
    """Any object nearby."""
    return isinstance(recipe, Insert) and near(recipe, box)


def by_seam(recipe: Recipe, box: Box) -> bool:
    """Anything pasted nearby."""
    return changes(recipe) and near(recipe, box)


def by_any_change(recipe: Recipe, box: Box) -> bool:
    """Anything pasted anywhere."""
    return changes(recipe)


@dataclass(frozen=True)
class ByNoise:
    """A share of changed pictures, by a hash of their pixels, whatever was pasted."""

    world: BoxScene
    share: float = 0.15
    together: bool = True

    def __call__(self, recipe: Recipe, box: Box) -> bool:
        """Whether the hash of the picture (and of the object, unless lost together) says so."""
        if isinstance(recipe, Identity):
            return False
        pixels = recipe.build(self.world.scene, MATERIALS)
        if np.array_equal(pixels, self.world.scene.pixels()):
            return False
        state = hashlib.blake2b(pixels.tobytes(), digest_size=8)
        state.update(b"" if self.together else repr(box).encode())
        return int.from_bytes(state.digest(), "big") < self.share * 2**64


def method_on(name: str, world: BoxScene, subject: PlantedPaste, **options: Any) -> Method:
    """The method for one scene; options: its own, with defaults that suit the scenes."""
    setting = Setting(subject, SceneSet((world.scene,), CLASSES, (1, 2, 3)), Path(), 1)
    if name == "insertion":
        given = {"labels": ("cat", "dog"), "relocate": False, "per_object": 6, **options}
        return InsertionMethod(InsertionOptions(**given), setting, LIBRARY)
    given = {"uncertainty": "none", "contour": "box", "tests_per_level": 2, **options}
    return RobustnessMethod(RobustnessOptions(**given), setting, LIBRARY)


def examined(
    name: str,
    world: BoxScene,
    fault: Fault,
    *,
    allowance: int | None = None,
    asked: list[Question] | None = None,
    scores: tuple[float, float | None] = (0.9, None),
    **options: Any,
) -> Verdict:
    """The verdict of a method about one scene.

    asked: receives the questions. scores: of what the subject finds, and of what is struck.
    """
    subject = PlantedPaste(fault, *scores)
    method = method_on(name, world, subject, **options)
    [unit] = method.units()
    rng = np.random.default_rng(world.seed)

    def answer(question: Question) -> Answer:
        if asked is not None:
            asked.append(question)
        return subject.answer(world, question)

    work = examination(method, unit, rng, allowance=allowance, steady=True, classes=subject.classes)
    return driven(work, answer)
