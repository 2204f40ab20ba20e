"""Controls: cases that must not fail. Their rate is the noise floor of a failure rate.

identity: the same question again. reencode: the scene, compressed once more in its own format.
self-paste: an existing object pasted onto itself. patch: background of the scene pasted at an
insertion's place with its mask and blending: the effect of the seam alone.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.random import Generator

from snellen.changes.identity import Identity
from snellen.changes.paste.insert import Insert
from snellen.changes.paste.patch import Patch
from snellen.changes.reencode import Reencode, scene_encoding
from snellen.contract.questions import Question
from snellen.contract.verdict import CONTROL
from snellen.methods.free_places import Box, FreeSpace
from snellen.methods.planned_case import PlannedCase
from snellen.scenes.scene import Scene
from snellen.vision.arrays import Boxes

KINDS = ("patch", "identity", "patch", "self-paste", "patch", "reencode")
"""In turn. Half are patches: they differ from an insertion only in the object."""
WORDS = {
    "identity": "the same question again",
    "reencode": "the scene, compressed once more",
    "self-paste": "an object pasted onto itself",
    "patch": "background pasted with the same edge: the effect of the seam alone",
}
"""A short description of each kind."""
EXPOSED = ("patch",)
"""Kinds that are exposed to the same disturbance as a test."""


@dataclass(frozen=True)
class PasteControl:
    """A planned control.

    box: where something is pasted, or None. beside: the index of the insertion it is paired with.
    """

    name: str
    question: Question
    box: Box | None = None
    beside: int = 0

    def case(self, facts: Mapping[str, float] | None = None) -> PlannedCase:
        """The planned case; facts: measurements known in advance."""
        return PlannedCase(self.question, f"{CONTROL}{self.name}", facts or {})


@dataclass(frozen=True, eq=False)
class SceneObstacles:
    """A scene, its objects' boxes, and all boxes that nothing may overlap, each (N, 4) xyxy."""

    scene: Scene
    objects: Boxes
    obstacles: Boxes


def paste_controls(
    around: SceneObstacles, recipes: Sequence[Insert], count: int, rng: Generator
) -> list[PasteControl]:
    """`count` controls, their kinds in turn, each paired with one of the insertions."""
    if not recipes or not count:
        return []
    first = int(rng.integers(len(KINDS)))
    beside = rng.choice(len(recipes), size=count, replace=count > len(recipes))
    made = [
        _control(KINDS[(first + turn) % len(KINDS)], turn, around, recipes, int(place), rng)
        for turn, place in enumerate(beside)
    ]
    return [control for control in made if control is not None]


def _control(
    kind: str,
    turn: int,
    around: SceneObstacles,
    recipes: Sequence[Insert],
    place: int,
    rng: Generator,
) -> PasteControl | None:
    scene = around.scene
    if kind == "identity":
        return PasteControl(kind, Question(scene, Identity(), repeat=turn + 1), None, place)
    if kind == "reencode":
        return PasteControl(kind, Question(scene, Reencode(*scene_encoding(scene))), None, place)
    make = _self_paste if kind == "self-paste" else _patch
    recipe = make(around, recipes[place], rng)
    if recipe is None:
        return None
    box = (recipe.x, recipe.y, recipe.x + recipe.width, recipe.y + recipe.height)
    pasted = None if kind == "self-paste" else box
    return PasteControl(kind, Question(scene, recipe), pasted, place)


def _self_paste(around: SceneObstacles, recipe: Insert, rng: Generator) -> Patch | None:
    boxes, size = around.objects.astype(np.float64), around.scene.size
    x1, y1, x2, y2 = boxes[rng.integers(len(boxes))].round().astype(int).tolist()
    x1, y1 = max(0, x1), max(0, y1)
    width, height = min(x2, size[1]) - x1, min(y2, size[0]) - y1
    if width < 2 or height < 2:
        return None
    return Patch(recipe.object, x1, y1, width, height, x1, y1, recipe.blending, recipe.feather)


def _patch(around: SceneObstacles, recipe: Insert, rng: Generator) -> Patch | None:
    """Background from another free place of the same size; None without one."""
    size = around.scene.size
    everywhere = (0, 0, size[1], size[0])
    free = FreeSpace(size, around.obstacles).free(everywhere, recipe.width, recipe.height)
    away = free[(free != (recipe.x, recipe.y)).any(axis=1)]
    if len(away) == 0:
        return None
    x, y = away[rng.integers(len(away))].tolist()
    return Patch(
        recipe.object,
        recipe.x,
        recipe.y,
        recipe.width,
        recipe.height,
        x,
        y,
        recipe.blending,
        recipe.feather,
    )
