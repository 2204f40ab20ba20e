"""Compose an image from objects of the library alone: what is in it is known exactly."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import ClassVar, TypeAlias

from snellen.changes.compose.backgrounds import background_image
from snellen.changes.compose.cutout_cache import cutout_pixels
from snellen.changes.paste.direct_paste import paste_once
from snellen.changes.recipe import Materials, Recipe
from snellen.scenes.scene import Scene
from snellen.vision.arrays import Image

Placing: TypeAlias = tuple[str, int, int, int, int]
"""An object's id, x and y of its top-left corner, its width and height, in the canvas's pixels."""


@dataclass(frozen=True)
class Compose(Recipe):
    """Objects on a canvas of their own, from back to front. The scene lends nothing but its name.

    width, height: of the canvas in pixels. placed: see `Placing`. background: see
    `snellen.changes.compose.backgrounds`.
    """

    kind: ClassVar[str] = "compose"
    width: int
    height: int
    placed: tuple[Placing, ...]
    background: str = "#ffffff"
    feather: float = 1.0

    def build(self, scene: Scene, materials: Materials) -> Image:
        """The canvas with the objects on it, H x W x 3."""
        image = background_image(self.background, self.width, self.height, materials)
        for id, x, y, width, height in self.placed:
            pixels = cutout_pixels(materials.get("objects"), id)
            paste_once(image, pixels, x, y, width, height, self.feather)
        return image

    def only(self, places: Iterable[int]) -> Compose:
        """The same canvas with some of the objects, by their places, where they were."""
        kept = set(places)
        return replace(
            self, placed=tuple(one for place, one in enumerate(self.placed) if place in kept)
        )
