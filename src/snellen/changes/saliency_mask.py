"""Hide random parts of a scene, to estimate the saliency map of a black box."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import ClassVar

from snellen.changes.corruptions.corruption import check_seed
from snellen.changes.recipe import Materials, Recipe
from snellen.errors import UserError
from snellen.scenes.scene import Scene
from snellen.vision.arrays import Image
from snellen.vision.saliency.random_masks import GRID, KEEP

MEAN = "mean"


@dataclass(frozen=True)
class SaliencyMask(Recipe):
    """The scene under a random mask.

    seed: of the mask, see `snellen.vision.saliency.random_masks`. grid: rows and columns of cells.
    keep: the share of cells that stay visible, between 0 and 1. fill: the colour of hidden pixels,
    #rrggbb (black as published), or `mean` for the mean colour of the scene.

    >>> SaliencyMask(7).to_json()
    {'kind': 'masked', 'seed': 7, 'grid': (16, 16), 'keep': 0.5, 'fill': '#000000'}
    """

    kind: ClassVar[str] = "masked"
    seed: int
    grid: tuple[int, int] = GRID
    keep: float = KEEP
    fill: str = "#000000"

    def __post_init__(self) -> None:
        check_seed(self.seed)
        if len(self.grid) != 2 or min(self.grid) < 1:
            raise UserError(
                f"grid: found {list(self.grid)}, expected rows and columns of at least 1."
            )
        if not 0 < self.keep < 1:
            raise UserError(f"keep: found {self.keep}, expected a number between 0 and 1.")
        if self.fill != MEAN and not re.fullmatch("#[0-9a-fA-F]{6}", self.fill):
            raise UserError(f"fill: found '{self.fill}', expected #rrggbb or mean.")

    def build(self, scene: Scene, materials: Materials) -> Image:
        """The scene's pixels where the mask keeps them, else the fill colour."""
        from snellen.vision.saliency.masked_image import masked_image

        pixels = scene.pixels()
        colour = tuple(pixels.mean(axis=(0, 1))) if self.fill == MEAN else self._colour()
        return masked_image(pixels, self.seed, grid=self.grid, keep=self.keep, fill=colour)

    def _colour(self) -> tuple[int, ...]:
        return tuple(bytes.fromhex(self.fill[1:]))
