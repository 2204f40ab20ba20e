"""Insert an object into a scene."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import ClassVar

from snellen.changes.recipe import Image, Materials, Recipe
from snellen.scenes.scene import Scene


class Blending(StrEnum):
    """How the object's pixels meet the scene's."""

    FEATHER = "feather"
    HARD = "hard"
    POISSON = "poisson"
    MATCHED = "matched"


@dataclass(frozen=True)
class Insert(Recipe):
    """A cut-out of the library, resized and blended in. Nothing else of the object is changed.

    object: the cut-out's id in `materials["objects"]`. x, y: the top-left corner in the scene's
    pixels; width, height: its size there, all whole numbers. feather: width in pixels over which
    the edge fades.
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
        """The scene with the object in it."""
        raise NotImplementedError
