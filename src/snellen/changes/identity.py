"""The change that changes nothing: the scene itself, as the reference and as a control."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from snellen.changes.recipe import Image, Materials, Recipe
from snellen.scenes.scene import Scene


@dataclass(frozen=True)
class Identity(Recipe):
    """The scene as it is.

    >>> Identity().to_json()
    {'kind': 'identity'}
    """

    kind: ClassVar[str] = "identity"
    keeps_objects: ClassVar[bool] = True

    def build(self, scene: Scene, materials: Materials) -> Image:
        """The scene's own pixels."""
        return scene.pixels()
