"""Look at a scene a little differently: mirrored, nearer, shifted, brighter (test-time views).

What a subject says of such views, brought back to the scene's own pixels, is a sample of what it
might as well have said of the scene: its spread is the uncertainty of a black box.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import numpy.typing as npt

from snellen.changes.recipe import Image, Materials, Recipe
from snellen.errors import UserError
from snellen.scenes.scene import Scene
from snellen.vision.boxes.box_geometry import area, clip
from snellen.vision.detections import Boxes, Detections
from snellen.vision.masks.rle_masks import Masks

BORDER = 114
"""The grey of what a view shows beside the scene, that of the letterbox of many detectors."""


@dataclass(frozen=True)
class AugmentedView(Recipe):
    """Another view of the scene, of the same size.

    flip: mirrored left to right. scale: enlarged (above 1) or made smaller, about the centre. dx,
    dy: then shifted by so many pixels to the right and down. gain: brightness times this.

    >>> AugmentedView(flip=True).restored(Detections([[0, 0, 10, 20]], [1], [0.9]), (50, 100)).boxes
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
        """The scene's pixels in this view; grey where it shows what is beside the scene."""
        pixels = scene.pixels()
        return _brighter(self._warped(pixels[:, ::-1] if self.flip else pixels), self.gain)

    def viewed(self, boxes: npt.ArrayLike, size: tuple[int, int]) -> Boxes:
        """Boxes (N, 4) xyxy of the scene in this view's pixels. size: (height, width) of both."""
        height, width = size
        corners = np.array(boxes, dtype=np.float64).reshape(-1, 4)
        if self.flip:
            corners[:, [0, 2]] = width - corners[:, [2, 0]]
        return np.asarray(corners * self.scale + self._shift(height, width), dtype=np.float32)

    def in_view(self, boxes: npt.ArrayLike, size: tuple[int, int]) -> npt.NDArray[np.bool_]:
        """Whether each of the scene's boxes (N, 4) lies wholly in this view, shape (N,).

        One that does not is cut at the view's border, and how it is found there tells nothing of
        how sure the subject is of it.
        """
        corners = self.viewed(boxes, size)
        return np.asarray(np.abs(clip(corners, size) - corners).max(axis=1, initial=0) < 1e-3)

    def restored(self, detections: Detections, size: tuple[int, int]) -> Detections:
        """What was detected in this view, in the scene's own pixels. size: (height, width).

        Boxes are cut at the scene's borders, and what lies wholly beside the scene is left out.
        """
        height, width = size
        corners = (detections.boxes.astype(np.float64) - self._shift(height, width)) / self.scale
        if self.flip:
            corners[:, [0, 2]] = width - corners[:, [2, 0]]
        boxes = clip(corners, size)
        masks = None if detections.masks is None else self._restored_masks(detections.masks)
        back = Detections(boxes, detections.labels, detections.scores, masks)
        return back[area(boxes) > 0]

    def _shift(self, height: int, width: int) -> npt.NDArray[np.float64]:
        x = (1 - self.scale) * width / 2 + self.dx
        y = (1 - self.scale) * height / 2 + self.dy
        return np.array([x, y, x, y])

    @property
    def _moves(self) -> bool:
        return (self.scale, self.dx, self.dy) != (1, 0, 0)

    def _warped(self, pixels: Image) -> Image:
        import cv2

        if not self._moves:
            return pixels
        height, width = pixels.shape[:2]
        source = np.ascontiguousarray(pixels)
        grey = (BORDER, BORDER, BORDER)
        way = cv2.INTER_LINEAR
        matrix = self._matrix(height, width)
        return np.asarray(
            cv2.warpAffine(source, matrix, (width, height), flags=way, borderValue=grey)
        )

    def _matrix(self, height: int, width: int) -> npt.NDArray[np.float64]:
        """From the centres of the scene's pixels to those of the view's, both counted from 0."""
        x, y = self._shift(height, width)[:2] + 0.5 * (self.scale - 1)
        return np.array([[self.scale, 0, x], [0, self.scale, y]])

    def _restored_masks(self, masks: Masks) -> Masks:
        import cv2

        height, width = masks.size
        way = cv2.INTER_NEAREST | cv2.WARP_INVERSE_MAP
        matrix = self._matrix(height, width)
        back = [
            cv2.warpAffine(mask.astype(np.uint8), matrix, (width, height), flags=way)
            for mask in masks.to_array()
        ]
        array = np.array(back, dtype=bool).reshape(-1, height, width)
        return Masks.from_array(array[:, :, ::-1] if self.flip else array)


def _brighter(pixels: Image, gain: float) -> Image:
    if gain == 1:
        return pixels
    levels = np.minimum(np.arange(256) * gain + 0.5, 255).astype(np.uint8)
    return np.asarray(levels[pixels])
