"""The recipe: a scene mirrored left to right."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy.typing as npt

from snellen.api import Boxes, Image, Materials, Recipe, Scene


@dataclass(frozen=True)
class Mirror(Recipe):
    """The scene mirrored left to right, or a part of it in its place.

    window: the part, x1 y1 x2 y2 in whole pixels; None for the whole scene.

    >>> Mirror().moved_boxes([[0, 0, 10, 20]], (50, 100)).tolist()
    [[90.0, 0.0, 100.0, 20.0]]
    """

    kind: ClassVar[str] = "mirror"
    keeps_objects: ClassVar[bool] = True
    window: tuple[int, int, int, int] | None = None

    def build(self, scene: Scene, materials: Materials) -> Image:
        """The scene's pixels with the window mirrored."""
        case = scene.pixels().copy()
        x1, y1, x2, y2 = self._window(scene.size)
        case[y1:y2, x1:x2] = case[y1:y2, x1:x2][:, ::-1].copy()
        return case

    def moved_boxes(self, boxes: npt.ArrayLike, size: tuple[int, int]) -> Boxes:
        """Boxes (N, 4) whose centre is in the window are mirrored with it, the others stay."""
        moved = super().moved_boxes(boxes, size)
        x1, y1, x2, y2 = self._window(size)
        centres = (moved[:, :2] + moved[:, 2:]) / 2
        inside = ((centres >= (x1, y1)) & (centres <= (x2, y2))).all(axis=1)
        moved[inside, 0], moved[inside, 2] = x1 + x2 - moved[inside, 2], x1 + x2 - moved[inside, 0]
        return moved

    def _window(self, size: tuple[int, int]) -> tuple[int, int, int, int]:
        height, width = size
        return self.window or (0, 0, width, height)
