"""The canvas of a row: a blank scene, or photographs that show no label."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

import numpy as np

from snellen.errors import UserError
from snellen.objects.label_names import plain_name
from snellen.scenes.scene import Picture, Scene, SceneSet
from snellen.vision.arrays import Image

PHOTOGRAPHS = "photographs"


@dataclass(frozen=True)
class Blank:
    """A white square: the picture of a row without objects."""

    side: int

    def pixels(self) -> Image:
        """The image, side x side x 3."""
        return _white(self.side)

    def digest(self) -> str:
        """Its digest: all blanks of a size are equal."""
        return f"blank {self.side}"


@cache
def _white(side: int) -> Image:
    image = np.full((side, side, 3), 255, dtype=np.uint8)
    image.flags.writeable = False
    return image


def row_scene(id: str, side: int) -> Scene:
    """The scene of a row."""
    return Scene(id, Blank(side), (side, side))


def photographs(scenes: SceneSet, classes: Sequence[str], background: str) -> dict[str, Picture]:
    """The pictures of the scenes that show none of the labels, by digest.

    A scene without annotations counts as showing none.
    """
    if background != PHOTOGRAPHS:
        if len(scenes):
            raise UserError(
                f"scenes: given, but combinations.background is '{background}', which needs none. "
                f"Set `background: {PHOTOGRAPHS}` to put objects on them, or leave scenes out."
            )
        return {}
    labels = {plain_name(name) for name in classes}
    found = {scene.digest: scene.picture for scene in scenes if _free(scene, scenes, labels)}
    if not found:
        raise UserError(
            f"combinations.background: found '{PHOTOGRAPHS}', but none of the {len(scenes)} scenes "
            "is free of the subject's labels. Give photographs under `scenes` that show none of "
            "them."
        )
    return found


def _free(scene: Scene, scenes: SceneSet, labels: set[str]) -> bool:
    if scene.annotations is None:
        return True
    return not any(
        plain_name(scenes.classes[label]) in labels for label in set(scene.annotations.labels)
    )
