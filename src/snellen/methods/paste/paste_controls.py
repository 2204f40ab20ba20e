"""Controls and checks of pasting.

The control of an insertion is a patch: background of the scene pasted at the insertion's place with
its mask, blending and shadow. It is exposed to the same disturbance, seam and shadow, and differs
in the object alone. Checks cannot fail if the tool is correct and the subject deterministic; they
are reported separately and never compared with. identity: the same question again. reencode: the
scene, compressed once more in its own format. self-paste: an existing object pasted onto itself.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.random import Generator

from snellen.changes.identity import Identity
from snellen.changes.paste.insert import Insert
from snellen.changes.paste.patch import Patch
from snellen.changes.recipe import Recipe
from snellen.changes.reencode import Reencode, scene_encoding
from snellen.contract.questions import Question
from snellen.contract.verdict import CHECK, CONTROL
from snellen.methods.free_places import FreeSpace
from snellen.methods.planned_case import PlannedCase
from snellen.scenes.scene import Scene
from snellen.vision.arrays import Boxes, Ints

PATCH = "patch"
PATCH_ROLE = f"{CONTROL}{PATCH}"
"""The role of a patch that is the control of an insertion."""
CHECKS = ("identity", "self-paste", "reencode")
WORDS = {
    "identity": "the same question again",
    "reencode": "the scene, compressed once more",
    "self-paste": "an object pasted onto itself",
    PATCH: "background pasted with the same edge: the effect of the seam alone",
}
"""A short description of each kind of control and check."""
CONTROLS = "background pasted through the mask of an insertion, at its place"
"""What all controls have in common."""
EXPOSED = (PATCH,)
"""Kinds that are exposed to the same disturbance as a test."""


@dataclass(frozen=True, eq=False)
class SceneObstacles:
    """A scene, its objects' boxes, and all boxes that nothing may overlap, each (N, 4) xyxy."""

    scene: Scene
    objects: Boxes
    obstacles: Boxes

    def sources(self, recipe: Insert) -> Ints:
        """Free places (x, y) of an insertion's size with other background than its own; (K, 2).

        A place counts if it is at least half the insertion's size away in x or y: a patch from
        nearer would paste the background almost onto itself.
        """
        width, height = recipe.width, recipe.height
        free = FreeSpace(self.scene.size, self.obstacles).everywhere(width, height)
        shift = np.abs(free - (recipe.x, recipe.y))
        return np.asarray(free[(2 * shift >= (width, height)).any(axis=1)])

    def patch(self, recipe: Insert, draw: float) -> Patch | None:
        """Background through an insertion's mask at its place; None if the scene has no source.

        draw: from 0 up to 1, which of the sources.
        """
        sources = self.sources(recipe)
        if len(sources) == 0:
            return None
        x, y = sources[int(draw * len(sources))].tolist()
        return patch_at(recipe, x, y)


def patch_at(recipe: Insert, from_x: int, from_y: int) -> Patch:
    """The background at a place, pasted as an insertion pastes its object."""
    return Patch(
        recipe.object,
        recipe.x,
        recipe.y,
        recipe.width,
        recipe.height,
        from_x,
        from_y,
        recipe.blending,
        recipe.feather,
        recipe.shadow,
    )


def drawn_check(
    around: SceneObstacles, recipe: Insert, facts: Mapping[str, float], rng: Generator
) -> PlannedCase:
    """A check of a scene, its kind drawn at random.

    recipe: an insertion, whose mask and blending a self-paste uses. facts: measurements known in
    advance.
    """
    kind = CHECKS[int(rng.integers(len(CHECKS)))]
    made: Recipe | None = None
    if kind == "self-paste":
        made = _self_paste(around, recipe, rng)
    elif kind == "reencode":
        made = Reencode(*scene_encoding(around.scene))
    if made is None:
        again = Question(around.scene, Identity(), repeat=1)
        return PlannedCase(again, f"{CHECK}identity", facts)
    return PlannedCase(Question(around.scene, made), f"{CHECK}{kind}", facts)


def _self_paste(around: SceneObstacles, recipe: Insert, rng: Generator) -> Patch | None:
    """An object pasted onto itself; None if it is too small."""
    boxes, size = around.objects.astype(np.float64), around.scene.size
    x1, y1, x2, y2 = boxes[rng.integers(len(boxes))].round().astype(int).tolist()
    x1, y1 = max(0, x1), max(0, y1)
    width, height = min(x2, size[1]) - x1, min(y2, size[0]) - y1
    if width < 2 or height < 2:
        return None
    return Patch(recipe.object, x1, y1, width, height, x1, y1, recipe.blending, recipe.feather)
