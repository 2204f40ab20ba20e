"""Insert an object into a scene."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from snellen.changes.paste.alpha_composite import window
from snellen.changes.paste.blended_paste import fade, paste
from snellen.changes.paste.blending import Blending, blending_version
from snellen.changes.paste.contact_shadow import with_shadow
from snellen.changes.paste.stencil_cache import stencil_for
from snellen.changes.recipe import Materials, Recipe
from snellen.scenes.scene import Scene
from snellen.vision.arrays import Image

__all__ = ["Blending", "Insert"]


@dataclass(frozen=True)
class Insert(Recipe):
    """A cut-out of the library, resized and blended into the scene, otherwise unchanged.

    object: id of the cut-out in the library `materials["objects"]`. x, y: top-left corner; width,
    height: size in the scene; all whole pixels. feather: about how many pixels along the edge are
    translucent. opacity: from 0 to 1, less shows the scene through the object. shadow: the share of
    the light that its contact shadow takes away, 0 for none. Parts outside the scene are cut off.
    """

    kind: ClassVar[str] = "insert"
    optional: ClassVar[frozenset[str]] = frozenset({"opacity", "shadow"})
    object: str
    x: int
    y: int
    width: int
    height: int
    blending: str = Blending.FEATHER.value
    feather: float = 1.5
    opacity: float = 1.0
    shadow: float = 0.0

    @property
    def pixel_version(self) -> int:
        """That of its blending."""
        return blending_version(self.blending)

    def build(self, scene: Scene, materials: Materials) -> Image:
        """The scene with the object; nothing changes outside its rectangle and its shadow."""
        return self.over(scene.pixels(), materials)

    def over(self, image: Image, materials: Materials) -> Image:
        """A copy of the image with the object."""
        stencil = stencil_for(self, materials)
        ground = image
        if self.shadow:
            dark = self.shadow * self.opacity
            ground = with_shadow(image, stencil.shadow, stencil.size, self.x, self.y, dark)
        pasted = paste(
            ground, stencil, self.x, self.y, self.blending, light=image, fresh=bool(self.shadow)
        )
        if self.opacity == 1:
            return pasted
        place = window((image.shape[0], image.shape[1]), (self.height, self.width), self.x, self.y)
        fade(pasted[place.rows, place.columns], image[place.rows, place.columns], self.opacity)
        return pasted
