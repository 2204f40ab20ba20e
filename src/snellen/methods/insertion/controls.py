"""Controls: cases that must not fail. Their rate is the noise that a failure rate is read against.

identity: the same question again. reencode: the scene, compressed once more as its file is.
self-paste: an existing object pasted on itself. patch: a piece of the scene's own background pasted
at an insertion's place, through its mask and with its blending: what the seam alone does.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.random import Generator

from snellen.changes.identity import Identity
from snellen.changes.patch import Patch
from snellen.changes.reencode import Reencode, scene_encoding
from snellen.methods.insertion.placement import Room
from snellen.methods.insertion.plan import Box, Planned, Stage
from snellen.methods.questions import Question

KINDS = ("patch", "identity", "patch", "self-paste", "patch", "reencode")
"""In turn. Half are patches: they differ from an insertion in the object alone."""


@dataclass(frozen=True)
class Control:
    """One control to come; box: where something was pasted, None if nothing was."""

    name: str
    question: Question
    box: Box | None = None


def controls(stage: Stage, planned: list[Planned], count: int, rng: Generator) -> list[Control]:
    """`count` controls, their kinds in turn, each beside an insertion of the plan."""
    if not planned or not count:
        return []
    first = int(rng.integers(len(KINDS)))
    beside = rng.choice(len(planned), size=count, replace=count > len(planned))
    made = [
        _control(KINDS[(first + turn) % len(KINDS)], turn, stage, planned[int(place)], rng)
        for turn, place in enumerate(beside)
    ]
    return [control for control in made if control is not None]


def _control(
    kind: str, turn: int, stage: Stage, planned: Planned, rng: Generator
) -> Control | None:
    if kind == "identity":
        return Control(kind, Question(stage.scene, Identity(), repeat=turn + 1))
    if kind == "reencode":
        return Control(kind, Question(stage.scene, Reencode(*scene_encoding(stage.scene))))
    make = _self_paste if kind == "self-paste" else _patch
    recipe = make(stage, planned, rng)
    if recipe is None:
        return None
    box = (recipe.x, recipe.y, recipe.x + recipe.width, recipe.y + recipe.height)
    return Control(kind, Question(stage.scene, recipe), None if kind == "self-paste" else box)


def _self_paste(stage: Stage, planned: Planned, rng: Generator) -> Patch | None:
    boxes = stage.objects.boxes.astype(np.float64)
    x1, y1, x2, y2 = boxes[rng.integers(len(boxes))].round().astype(int).tolist()
    x1, y1 = max(0, x1), max(0, y1)
    width, height = min(x2, stage.scene.size[1]) - x1, min(y2, stage.scene.size[0]) - y1
    if width < 2 or height < 2:
        return None
    recipe = planned.recipe
    return Patch(recipe.object, x1, y1, width, height, x1, y1, recipe.blending, recipe.feather)


def _patch(stage: Stage, planned: Planned, rng: Generator) -> Patch | None:
    """Background from a free place of the same size, or None where there is no other."""
    recipe = planned.recipe
    everywhere = (0, 0, stage.scene.size[1], stage.scene.size[0])
    free = Room(stage.scene.size, stage.obstacles).free(everywhere, recipe.width, recipe.height)
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
