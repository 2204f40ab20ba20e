"""Compose an image from library objects alone, so that its content is known exactly."""

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
"""Object id, x and y of the top-left corner, width and height, in pixels of the canvas."""


@dataclass(frozen=True)
class Compose(Recipe):
    """Objects on a canvas, from back to front. Nothing of the scene is used but its name.

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
        """The canvas with the objects."""
        image = background_image(self.background, self.width, self.height, materials)
        for id, x, y, width, height in self.placed:
            pixels = cutout_pixels(materials.get("objects"), id)
            paste_once(image, pixels, x, y, width, height, self.feather)
        return image

    def only(self, places: Iterable[int]) -> Compose:
        """The same canvas with only the objects at these indices of `placed`."""
        kept = set(places)
        return replace(
            self, placed=tuple(one for place, one in enumerate(self.placed) if place in kept)
        )

    def padded(self, left: int, top: int, right: int, bottom: int) -> Compose:
        """The same objects on a canvas that is larger by these pixels on its sides."""
        moved = tuple((id, x + left, y + top, w, h) for id, x, y, w, h in self.placed)
        width, height = self.width + left + right, self.height + top + bottom
        return replace(self, width=width, height=height, placed=moved)

    def with_object(self, place: int, placing: Placing) -> Compose:
        """The same canvas with another object at this index of `placed`."""
        return replace(self, placed=(*self.placed[:place], placing, *self.placed[place + 1 :]))
