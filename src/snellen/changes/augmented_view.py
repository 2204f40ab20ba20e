"""A slightly different view of a scene: mirrored, scaled, shifted, brighter (test-time views).

A subject's detections in such views, mapped back to the scene, are samples of what it might have
detected in the scene itself: their spread is the uncertainty of a black box.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import numpy.typing as npt

from snellen.changes.recipe import Materials, Recipe
from snellen.errors import UserError
from snellen.scenes.scene import Scene
from snellen.vision.arrays import F64, Boxes, Image
from snellen.vision.boxes.box_geometry import area, clip
from snellen.vision.detections import Detections
from snellen.vision.masks.rle_masks import Masks

BORDER = 114
"""The grey around the scene, as in the letterbox of many detectors."""


@dataclass(frozen=True)
class AugmentedView(Recipe):
    """Another view of the scene, of the same size.

    flip: mirrored left to right. scale: enlarged (above 1) or shrunk about the centre. dx, dy:
    shift in pixels to the right and down, after scaling. gain: factor of brightness.

    >>> AugmentedView(flip=True).restore(Detections([[0, 0, 10, 20]], [1], [0.9]), (50, 100)).boxes
    array([[ 90.,   0., 100.,  20.]], dtype=float32)
    """

    kind: ClassVar[str] = "viewed"
    flip: bool = False
    scale: float = 1.0
    dx: float = 0.0
    dy: float = 0.0
    gain: float = 1.0

    def __post_init__(self) -> None:
        if not 0.1 <= self.scale <= 10:
            raise UserError(f"scale: found {self.scale}, expected a number from 0.1 to 10.")
        if not 0 <= self.gain <= 10:
            raise UserError(f"gain: found {self.gain}, expected a number from 0 to 10.")
        if not np.isfinite([self.dx, self.dy]).all():
            raise UserError(f"dx, dy: found {self.dx}, {self.dy}, expected numbers of pixels.")

    def build(self, scene: Scene, materials: Materials) -> Image:
        """The scene's pixels in this view; grey outside the scene."""
        pixels = scene.pixels()
        return _brighten(self._warp(pixels[:, ::-1] if self.flip else pixels), self.gain)

    def moved_boxes(self, boxes: npt.ArrayLike, size: tuple[int, int]) -> Boxes:
        """Boxes (N, 4) xyxy of the scene in pixels of this view, not clipped.

        size: (height, width) of the scene and of the view.
        """
        height, width = size
        corners = np.array(boxes, dtype=np.float64).reshape(-1, 4)
        if self.flip:
            corners[:, [0, 2]] = width - corners[:, [2, 0]]
        return np.asarray(corners * self.scale + self._shift(height, width), dtype=np.float32)

    def restore(self, detections: Detections, size: tuple[int, int]) -> Detections:
        """Detections in this view, mapped to pixels of the scene. size: (height, width).

        Boxes are clipped to the scene; detections outside of it are dropped.
        """
        height, width = size
        corners = (detections.boxes.astype(np.float64) - self._shift(height, width)) / self.scale
        if self.flip:
            corners[:, [0, 2]] = width - corners[:, [2, 0]]
        boxes = clip(corners, size)
        masks = None if detections.masks is None else self._restore_masks(detections.masks)
        restored = Detections(boxes, detections.labels, detections.scores, masks)
        return restored[area(boxes) > 0]

    def _shift(self, height: int, width: int) -> F64:
        x = (1 - self.scale) * width / 2 + self.dx
        y = (1 - self.scale) * height / 2 + self.dy
        return np.array([x, y, x, y])

    @property
    def _is_warp(self) -> bool:
        return (self.scale, self.dx, self.dy) != (1, 0, 0)

    def _warp(self, pixels: Image) -> Image:
        import cv2

        if not self._is_warp:
            return pixels
        height, width = pixels.shape[:2]
        source = np.ascontiguousarray(pixels)
        grey = (BORDER, BORDER, BORDER)
        flags = cv2.INTER_LINEAR
        matrix = self._matrix(height, width)
        return np.asarray(
            cv2.warpAffine(source, matrix, (width, height), flags=flags, borderValue=grey)
        )

    def _matrix(self, height: int, width: int) -> F64:
        """(2, 3): from pixel centres of the scene to those of the view, both counted from 0."""
        x, y = self._shift(height, width)[:2] + 0.5 * (self.scale - 1)
        return np.array([[self.scale, 0, x], [0, self.scale, y]])

    def _restore_masks(self, masks: Masks) -> Masks:
        import cv2

        height, width = masks.size
        flags = cv2.INTER_NEAREST | cv2.WARP_INVERSE_MAP
        matrix = self._matrix(height, width)
        restored = [
            cv2.warpAffine(mask.astype(np.uint8), matrix, (width, height), flags=flags)
            for mask in masks.to_array()
        ]
        array = np.array(restored, dtype=bool).reshape(-1, height, width)
        return Masks.from_array(array[:, :, ::-1] if self.flip else array)


def _brighten(pixels: Image, gain: float) -> Image:
    if gain == 1:
        return pixels
    levels = np.minimum(np.arange(256) * gain + 0.5, 255).astype(np.uint8)
    return np.asarray(levels[pixels])
