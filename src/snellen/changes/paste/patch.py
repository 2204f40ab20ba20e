"""Paste background of the scene through the shape of an object, to see the effect of the seam."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from snellen.changes.paste.blended_paste import paste
from snellen.changes.paste.blending import Blending, blending_version
from snellen.changes.paste.contact_shadow import with_shadow
from snellen.changes.paste.palette import Palette
from snellen.changes.paste.scene_look import surrounding_palette
from snellen.changes.paste.stencil import Stencil
from snellen.changes.paste.stencil_cache import stencil_for
from snellen.changes.recipe import Materials, Recipe
from snellen.errors import UserError
from snellen.scenes.scene import Scene
from snellen.vision.arrays import Bytes, Image


@dataclass(frozen=True)
class Patch(Recipe):
    """Pixels of the scene, pasted with the same mask and blending as an insertion: its control.

    object, x, y, width, height, blending, feather, shadow: as in `Insert`; only the object's alpha
    is used. from_x, from_y: top-left corner of the source rectangle, which has the same size and is
    entirely inside the scene.

    With from_x, from_y equal to x, y it is a self-paste, which changes no pixel with any blending:
    `poisson` adds the difference of gradients, which is 0, and `matched` moves colours by the
    difference between the surroundings of the two places, not by that of the patch's own colours.
    """

    kind: ClassVar[str] = "patch"
    optional: ClassVar[frozenset[str]] = frozenset({"shadow"})
    object: str
    x: int
    y: int
    width: int
    height: int
    from_x: int
    from_y: int
    blending: str = Blending.FEATHER.value
    feather: float = 1.5
    shadow: float = 0.0

    @property
    def pixel_version(self) -> int:
        """That of its blending."""
        return blending_version(self.blending)

    def build(self, scene: Scene, materials: Materials) -> Image:
        """The scene with the patch."""
        pixels = scene.pixels()
        shape = stencil_for(self, materials)
        stencil = Stencil(self._source(pixels), shape.alpha)
        own = self._palette(pixels, shape.alpha)
        ground = pixels
        if self.shadow:
            ground = with_shadow(pixels, shape.shadow, shape.size, self.x, self.y, self.shadow)
        new = bool(self.shadow)
        return paste(
            ground, stencil, self.x, self.y, self.blending, own=own, light=pixels, fresh=new
        )

    def _source(self, pixels: Image) -> Image:
        height, width = pixels.shape[:2]
        fits_across = 0 <= self.from_x <= width - self.width
        if not fits_across or not 0 <= self.from_y <= height - self.height:
            raise UserError(
                f"a patch of {self.width} x {self.height} pixels cannot be taken at x "
                f"{self.from_x}, y {self.from_y}: the scene is {width} x {height}."
            )
        rows = slice(self.from_y, self.from_y + self.height)
        return pixels[rows, self.from_x : self.from_x + self.width]

    def _palette(self, pixels: Image, alpha: Bytes) -> Palette | None:
        if self.blending not in (Blending.MATCHED, Blending.NATURAL):
            return None
        blur = self.blending == Blending.NATURAL
        return surrounding_palette(pixels, alpha, self.from_x, self.from_y, blur=blur)
