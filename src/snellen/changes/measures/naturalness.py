"""Two measurements of how natural a case looks compared to its scene.

hog: as published, the share of the scene's oriented gradients that the case preserves. A small
paste preserves nearly all of them, good or bad. seam: how much the edge of the paste stands out,
which separates good pastes from bad ones.
"""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from snellen.changes.paste.insert import Insert
from snellen.changes.paste.patch import Patch
from snellen.changes.paste.stencil_cache import stencil_for
from snellen.changes.recipe import Materials, Recipe
from snellen.scenes.scene import Picture, Scene
from snellen.vision.arrays import F32, Image
from snellen.vision.image_features.hog import hog_blocks, hog_blocks_after, hog_intersection
from snellen.vision.image_features.seams import REACH, seam, step_share

Box = tuple[int, int, int, int]


def hog_similarity(scene: Scene, recipe: Recipe, image: Image, materials: Materials) -> float:  # noqa: ARG001
    """The published intersection of oriented gradients, 0 to 1; 1 if all are preserved.

    0 if the case has another size than its scene.
    """
    height, width = scene.size
    if image.shape[:2] != (height, width):
        return 0.0
    before = _blocks(scene.picture)
    if isinstance(recipe, Insert | Patch):
        return hog_intersection(before, hog_blocks_after(before, image, _box(recipe, scene.size)))
    return hog_intersection(before, hog_blocks(image))


def seam_visibility(scene: Scene, recipe: Recipe, image: Image, materials: Materials) -> float:
    """How much the edge of the pasted object stands out, 0 to 1; 0 if nothing was pasted.

    0: the image changes across the edge as smoothly as it does elsewhere in the scene. 1: it jumps
    within one pixel all along the edge.
    """
    if not isinstance(recipe, Insert | Patch):
        return 0.0
    height, width = scene.size
    x1, y1, x2, y2 = _box(recipe, scene.size)
    left, top = max(x1 - REACH, 0), max(y1 - REACH, 0)
    around = image[top : min(y2 + REACH, height), left : min(x2 + REACH, width)]
    own = np.s_[y1 - recipe.y : y2 - recipe.y, x1 - recipe.x : x2 - recipe.x]
    inside = np.zeros(around.shape[:2], dtype=bool)
    alpha = stencil_for(recipe, materials).alpha[own]
    inside[y1 - top : y2 - top, x1 - left : x2 - left] = alpha >= 128
    return seam(np.ascontiguousarray(around), inside, _normal(scene.picture))


def _box(recipe: Insert | Patch, size: tuple[int, int]) -> Box:
    """The part of the pasted rectangle inside the scene: x1 y1 x2 y2."""
    height, width = size
    return (
        max(recipe.x, 0),
        max(recipe.y, 0),
        min(recipe.x + recipe.width, width),
        min(recipe.y + recipe.height, height),
    )


@lru_cache(maxsize=4)
def _blocks(picture: Picture) -> F32:
    return hog_blocks(picture.pixels())


@lru_cache(maxsize=64)
def _normal(picture: Picture) -> float:
    return step_share(picture.pixels())
