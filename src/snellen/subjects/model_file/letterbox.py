"""The placement of an image in a network's input, and the conversion of boxes back."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

import numpy as np

from snellen.vision.arrays import F32, F64, Bytes


class InputFit(StrEnum):
    """How an image is fitted to the network's input."""

    CORNER = "corner"
    CENTRE = "centre"
    STRETCH = "stretch"


@dataclass(frozen=True)
class Letterbox:
    """The placement of an image in a network's input; all sizes are (height, width) in pixels.

    content: the size of the scaled image. offset: (y, x) of its top-left corner.
    """

    image: tuple[int, int]
    network: tuple[int, int]
    content: tuple[int, int]
    offset: tuple[int, int]

    @property
    def scale(self) -> tuple[float, float]:
        """Network pixels per image pixel, (y, x)."""
        return self.content[0] / self.image[0], self.content[1] / self.image[1]

    def to_image(self, boxes: F32) -> F32:
        """Boxes (N, 4) xyxy in image pixels, from network pixels."""
        steps, starts = self._xyxy()
        return np.asarray((boxes - starts) / steps, dtype=np.float32)

    def to_network(self, boxes: F32) -> F32:
        """Boxes (N, 4) xyxy in network pixels, from image pixels."""
        steps, starts = self._xyxy()
        return np.asarray(boxes * steps + starts, dtype=np.float32)

    def clipped(self, boxes: F32) -> F32:
        """Boxes (N, 4) xyxy in image pixels, clipped to the image."""
        height, width = self.image
        limits = np.array([width, height, width, height], dtype=np.float32)
        return np.asarray(np.clip(boxes, 0, limits), dtype=np.float32)

    def _xyxy(self) -> tuple[F64, F64]:
        (tall, wide), (top, left) = self.scale, self.offset
        return np.array([wide, tall, wide, tall]), np.array([left, top, left, top], dtype=float)


def letterbox_of(image: tuple[int, int], network: tuple[int, int], fit: InputFit) -> Letterbox:
    """The placement of an image of size `image` in an input of size `network`, (height, width).

    Sides are rounded as in the networks' own code: down for `corner`, else to the nearest.

    >>> letterbox_of((100, 200), (50, 50), InputFit.CENTRE)
    Letterbox(image=(100, 200), network=(50, 50), content=(25, 50), offset=(12, 0))
    """
    if fit is InputFit.STRETCH:
        return Letterbox(image, network, network, (0, 0))
    ratio = min(network[0] / image[0], network[1] / image[1])
    whole = int if fit is InputFit.CORNER else round
    height, width = (max(1, whole(side * ratio + 1e-9)) for side in image)
    content = (height, width)
    if fit is InputFit.CORNER:
        return Letterbox(image, network, content, (0, 0))
    spare = (network[0] - content[0], network[1] - content[1])
    return Letterbox(image, network, content, (spare[0] // 2, spare[1] // 2))


def letterboxed(image: Bytes, letterbox: Letterbox, pad: int) -> Bytes:
    """The image scaled and padded to the network's input, H x W x 3 uint8, with value `pad`."""
    import cv2

    height, width = letterbox.content
    scaled = image
    if letterbox.content != letterbox.image:
        scaled = cv2.resize(image, (width, height), interpolation=cv2.INTER_LINEAR)
    if letterbox.content == letterbox.network:
        return scaled
    out = np.full((*letterbox.network, 3), pad, dtype=np.uint8)
    top, left = letterbox.offset
    out[top : top + height, left : left + width] = scaled
    return out
