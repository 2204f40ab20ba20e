"""Insert an object into a scene."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from snellen.changes.paste.blended_paste import paste
from snellen.changes.paste.blending import Blending
from snellen.changes.paste.stencil_cache import stencil_for
from snellen.changes.recipe import Materials, Recipe
from snellen.scenes.scene import Scene
from snellen.vision.arrays import Image

__all__ = ["Blending", "Insert"]


@dataclass(frozen=True)
class Insert(Recipe):
    """A cut-out of the library, resized and blended in. Nothing else of the object is changed.

    object: the cut-out's id in `materials["objects"]`, a `snellen.objects.library.library.Library`.
    x, y: the top-left corner in the scene's pixels; width, height: its size there, all whole
    numbers. feather: about how many pixels along the edge are translucent. What sticks out of the
    scene is cut off.
    """

    kind: ClassVar[str] = "insert"
    object: str
    x: int
    y: int
    width: int
    height: int
    blending: str = Blending.FEATHER.value
    feather: float = 1.5

    def build(self, scene: Scene, materials: Materials) -> Image:
        """The scene with the object in it; outside of the object's rectangle nothing changes."""
        stencil = stencil_for(self, materials)
        return paste(scene.pixels(), stencil, self.x, self.y, self.blending)
