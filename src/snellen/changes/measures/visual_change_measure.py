"""The visual change of a case compared to its scene, and the level of change that made it."""

from __future__ import annotations

from functools import lru_cache
from typing import Protocol, runtime_checkable

from snellen.changes.recipe import Materials, Recipe
from snellen.scenes.scene import Picture, Scene
from snellen.vision.arrays import Image
from snellen.vision.visual_change.measure import Likeness, delta_v
from snellen.vision.visual_change.object_vif import WholeBox
from snellen.vision.visual_change.registry import DEFAULT, visual_measure


@runtime_checkable
class Levelled(Protocol):
    """A recipe with a level of change from 0 to 1 that may depend on the scene."""

    def level_in(self, scene: Scene) -> float:
        """The level of change in this scene."""


def visual_change(scene: Scene, recipe: Recipe, image: Image, materials: Materials) -> float:  # noqa: ARG001
    """delta_v of a case compared to its scene, 0 to 1, by the recipe's measure or the default.

    1 if the case has another size than its scene.
    """
    if image.shape[:2] != scene.size:
        return 1.0
    measure, boxes = getattr(recipe, "measure", DEFAULT), getattr(recipe, "boxes", ())
    return delta_v(_likeness(scene.picture, measure, boxes)(image))


def level_used(scene: Scene, recipe: Recipe, image: Image, materials: Materials) -> float:  # noqa: ARG001
    """The level of change of a recipe in this scene, 0 to 1; 0 if the recipe has no levels."""
    if isinstance(recipe, Levelled):
        return recipe.level_in(scene)
    return float(getattr(recipe, "level", 0.0))


@lru_cache(maxsize=2)
def _likeness(picture: Picture, measure: str, boxes: tuple[WholeBox, ...]) -> Likeness:
    # A prepared 640 x 480 picture takes 10 MB, and cases of one scene are built together.
    return visual_measure(measure).within(picture.pixels(), boxes)
