"""Compose an image from objects of the library alone: what is in it is known exactly."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import ClassVar, NamedTuple, TypeAlias

from snellen.changes.backgrounds import background_image
from snellen.changes.blending import Blending
from snellen.changes.compositing import mixed, window
from snellen.changes.recipe import Image, Materials, Recipe
from snellen.changes.stencils import stencil_for
from snellen.scenes.scene import Scene

Placing: TypeAlias = tuple[str, int, int, int, int]
"""An object's id, x and y of its top-left corner, its width and height, in the canvas's pixels."""


class Placed(NamedTuple):
    """One object of a composition, as it is pasted; see `Placing`."""

    object: str
    x: int
    y: int
    width: int
    height: int
    feather: float
    blending: str = Blending.FEATHER.value


@dataclass(frozen=True)
class Compose(Recipe):
    """Objects on a canvas of their own, from back to front. The scene lends nothing but its name.

    width, height: of the canvas in pixels. placed: see `Placing`. background: see
    `snellen.changes.backgrounds`.
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
        for one in self.placed:
            stencil = stencil_for(Placed(*one, self.feather), materials)
            place = window((self.height, self.width), stencil.size, one[1], one[2])
            target = image[place.rows, place.columns]
            target[...] = mixed(target, stencil, place)
        return image

    def only(self, places: Iterable[int]) -> Compose:
        """The same canvas with some of the objects, by their places, where they were."""
        kept = set(places)
        return replace(
            self, placed=tuple(one for place, one in enumerate(self.placed) if place in kept)
        )
