"""The unchanged scene, as the reference and as a control."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from snellen.changes.recipe import Materials, Recipe
from snellen.scenes.scene import Scene
from snellen.vision.arrays import Image


@dataclass(frozen=True)
class Identity(Recipe):
    """The unchanged scene.

    >>> Identity().to_json()
    {'kind': 'identity'}
    """

    kind: ClassVar[str] = "identity"
    keeps_objects: ClassVar[bool] = True

    def build(self, scene: Scene, materials: Materials) -> Image:
        """The scene's pixels."""
        return scene.pixels()
