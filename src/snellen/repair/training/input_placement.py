"""The placement of a picture in the network's input: scaled, shifted, flipped."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from snellen.subjects.model_file.letterbox import Letterbox, letterboxed
from snellen.vision.arrays import F32, F64, Bytes


@dataclass(frozen=True)
class InputPlacement:
    """A map from image pixels to network pixels, `step * x + start` along each axis.

    frame: the placement without augmentation. scale: enlargement about the network's centre.
    shift: (y, x) in network pixels. flip: horizontally, applied last.
    """

    frame: Letterbox
    scale: float = 1.0
    shift: tuple[float, float] = (0.0, 0.0)
    flip: bool = False

    @property
    def plain(self) -> bool:
        """Whether this is the placement used in a test."""
        return self.scale == 1 and self.shift == (0, 0) and not self.flip

    def boxes(self, boxes: F32) -> F32:
        """Boxes (N, 4) xyxy in network pixels, not clipped, from image pixels."""
        step, start = self._along()
        ends = boxes.reshape(-1, 2, 2).astype(np.float64) * step + start
        return np.concatenate([ends.min(axis=1), ends.max(axis=1)], axis=1).astype(np.float32)

    def pixels(self, image: Bytes, pad: int) -> Bytes:
        """The network's input, H x W x 3 uint8; uncovered pixels have the value `pad`."""
        import cv2

        if self.plain:
            return letterboxed(image, self.frame, pad)
        step, start = self._along()
        # Pixel centres are at half pixels here and at whole pixels in OpenCV's warp.
        moved = start + (step - 1) / 2
        matrix = np.array([[step[0], 0, moved[0]], [0, step[1], moved[1]]])
        height, width = self.frame.network
        return np.asarray(
            cv2.warpAffine(
                image,
                matrix,
                (width, height),
                flags=cv2.INTER_LINEAR,
                borderMode=cv2.BORDER_CONSTANT,
                borderValue=(pad, pad, pad),
            )
        )

    def _along(self) -> tuple[F64, F64]:
        """Step and start, (x, y) each."""
        height, width = self.frame.network
        (tall, wide), (top, left) = self.frame.scale, self.frame.offset
        centre = np.array([width, height]) / 2
        step = np.array([wide, tall]) * self.scale
        start = (np.array([left, top]) - centre) * self.scale + centre + self.shift[::-1]
        if self.flip:
            step, start = step * (-1, 1), np.array([width - start[0], start[1]])
        return step, start
