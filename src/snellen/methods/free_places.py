"""Where an object fits: all free places of a scene, and the rectangle that it occupies there.

A place is the top-left corner of the object's rectangle. All places of a window are one
boolean map, so a draw is uniform over the free places and finds one whenever there is one,
without rejection sampling.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias

import numpy as np

from snellen.changes.paste.insert import Insert
from snellen.changes.paste.patch import Patch
from snellen.changes.recipe import Recipe
from snellen.vision.arrays import F32, Bools, Ints

Box: TypeAlias = tuple[float, float, float, float]


def pasted_box(recipe: Insert | Patch) -> Box:
    """The rectangle that a recipe pastes into, xyxy."""
    return (recipe.x, recipe.y, recipe.x + recipe.width, recipe.y + recipe.height)


def exempt_box(recipe: Recipe) -> Box | None:
    """The rectangle in which the recipe adds something new, xyxy; None without one."""
    if isinstance(recipe, Insert):
        return pasted_box(recipe)
    if isinstance(recipe, Patch) and (recipe.x, recipe.y) != (recipe.from_x, recipe.from_y):
        return pasted_box(recipe)
    return None


@dataclass(frozen=True, eq=False)
class FreeSpace:
    """The free space of a scene.

    size: (height, width) of the image. obstacles: (N, 4) xyxy boxes that nothing may overlap.
    ground: H x W, where an object's base may stand, or None for anywhere. bottoms: lowest and
    highest y at which a base may stand, in pixels.
    """

    size: tuple[int, int]
    obstacles: F32
    ground: Bools | None = None
    bottoms: tuple[float, float] | None = None

    def free(self, window: tuple[int, int, int, int], width: int, height: int) -> Ints:
        """All free places (x, y) within a window of corners (x1, y1, x2, y2), half-open; (K, 2)."""
        x1, y1 = max(0, window[0]), max(0, window[1])
        x2 = min(self.size[1] - width + 1, window[2])
        y2 = min(self.size[0] - height + 1, window[3])
        if x2 <= x1 or y2 <= y1:
            return np.zeros((0, 2), dtype=np.int64)
        free = np.ones((y2 - y1, x2 - x1), dtype=bool)
        if self.bottoms is not None:
            base = np.arange(y1, y2) + height
            free[(base < self.bottoms[0]) | (base > self.bottoms[1])] = False
        for ox1, oy1, ox2, oy2 in self.obstacles.astype(np.float64):
            # Corners from which the object would reach into this obstacle.
            left, top = int(np.floor(ox1)) - width + 1, int(np.floor(oy1)) - height + 1
            right, bottom = int(np.ceil(ox2)), int(np.ceil(oy2))
            rows = slice(max(0, top - y1), max(0, bottom - y1))
            free[rows, max(0, left - x1) : max(0, right - x1)] = False
        if self.ground is not None:
            free &= self._standing(x1, y1, x2, y2, width, height)
        down, along = np.nonzero(free)
        return np.stack([along + x1, down + y1], axis=1)

    def everywhere(self, width: int, height: int) -> Ints:
        """All free places of the image; (K, 2)."""
        return self.free((0, 0, self.size[1], self.size[0]), width, height)

    def beside(self, boxes: Sequence[Box]) -> FreeSpace:
        """The free space with these boxes, xyxy, as further obstacles."""
        taken = np.array(boxes, dtype=np.float32).reshape(-1, 4)
        return replace(self, obstacles=np.concatenate([self.obstacles, taken]))

    def _standing(self, x1: int, y1: int, x2: int, y2: int, width: int, height: int) -> Bools:
        """Whether the middle and both quarters of the base stand on the ground, for each corner."""
        assert self.ground is not None
        rows = slice(y1 + height - 1, y2 + height - 1)
        standing = np.ones((y2 - y1, x2 - x1), dtype=bool)
        for share in (0.25, 0.5, 0.75):
            offset = min(width - 1, int(width * share))
            standing &= self.ground[rows, x1 + offset : x2 + offset]
        return standing
