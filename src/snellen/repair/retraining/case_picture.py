"""The picture of a case, built on demand."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass

from snellen.changes.recipe import Materials, Recipe
from snellen.scenes.scene import Scene
from snellen.vision.arrays import Image


@dataclass(frozen=True, eq=False)
class CasePicture:
    """A case as the picture of a scene."""

    scene: Scene
    recipe: Recipe
    materials: Materials

    def pixels(self) -> Image:
        """The case's image, H x W x 3 uint8 RGB."""
        return self.recipe.build(self.scene, self.materials)

    def digest(self) -> str:
        """A hash of scene and recipe."""
        text = f"{self.scene.digest} {self.recipe.digest}"
        return hashlib.blake2b(text.encode(), digest_size=16).hexdigest()
