"""The picture of a scene that a recipe changed, built when its pixels are asked for."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass

from snellen.changes.recipe import Image, Materials, Recipe
from snellen.scenes.scene import Scene


@dataclass(frozen=True, eq=False)
class CasePicture:
    """A case as a picture; small, however many there are."""

    scene: Scene
    recipe: Recipe
    materials: Materials

    def pixels(self) -> Image:
        """The case's image, H x W x 3 uint8 RGB."""
        return self.recipe.build(self.scene, self.materials)

    def digest(self) -> str:
        """A hash of what it is built from."""
        text = f"{self.scene.digest} {self.recipe.digest}"
        return hashlib.blake2b(text.encode(), digest_size=16).hexdigest()
