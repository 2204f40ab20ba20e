"""A stencil: the colours and alpha of a cut-out at the size at which it is pasted."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from snellen.changes.paste.contact_shadow import base_shadow
from snellen.changes.paste.palette import Palette, blur_within, palette, to_lab
from snellen.errors import UserError
from snellen.vision.arrays import F32, Bytes, Floating, Image, UInts16
from snellen.vision.image_features.edge_crests import crests_of

_HALF = 0.5


@dataclass(frozen=True, eq=False)
class Stencil:
    """What is pasted. colours: (H, W, 3), not premultiplied. alpha: (H, W), 255 is opaque."""

    colours: Image
    alpha: Bytes

    def weigh(self, colours: Image) -> UInts16:
        """As `weighted`, of other colours."""
        weighted = np.multiply(colours, self.opacity, dtype=np.uint16)
        weighted += np.uint16(128)
        return weighted

    @property
    def size(self) -> tuple[int, int]:
        """(height, width) in pixels."""
        return self.alpha.shape[0], self.alpha.shape[1]

    @cached_property
    def weighted(self) -> UInts16:
        """(H, W, 3) colours times alpha, plus the 128 that rounds a division by 255."""
        return self.weigh(self.colours)

    @cached_property
    def scene_share(self) -> Bytes:
        """(H, W, 3) weight of the scene, 255 - alpha, repeated for each channel."""
        return 255 - self.opacity

    @cached_property
    def opacity(self) -> Bytes:
        """(H, W, 3) alpha, repeated for each channel."""
        return np.repeat(self.alpha[..., None], 3, axis=2)

    @cached_property
    def lab(self) -> F32:
        """(H, W, 3) colours in CIE L*a*b*."""
        return to_lab(self.colours)

    @cached_property
    def palette(self) -> Palette | None:
        """The palette of the colours."""
        return palette(self.colours, self.alpha)

    @cached_property
    def sampled_palette(self) -> Palette | None:
        """The palette of a grid of about 4,000 pixels."""
        return palette(self.colours, self.alpha, sampled=True)

    @cached_property
    def blur(self) -> float | None:
        """The width of its sharpest edges in pixels."""
        return blur_within(crests_of(self.colours), self.alpha)

    @cached_property
    def shadow(self) -> F32:
        """Its contact shadow, by `base_shadow`."""
        return base_shadow(self.alpha)

    @property
    def nbytes(self) -> int:
        """Memory including what is computed on demand."""
        return 30 * self.alpha.size

    def cropped(self, rows: slice, columns: slice) -> Stencil:
        """The part in these rows and columns."""
        return Stencil(self.colours[rows, columns], self.alpha[rows, columns])


def cut_stencil(
    pixels: Bytes, width: int, height: int, *, feather: float = 0.0, hard: bool = False
) -> Stencil:
    """The stencil of an H x W x 4 RGBA cut-out, resized.

    Colours are averaged with alpha as weight, so that the colour of transparent pixels (white,
    black, another background) does not bleed into the edge. hard: alpha is 0 or 255.
    """
    if width < 1 or height < 1:
        raise UserError(
            f"an object cannot be pasted at {width} x {height} pixels; "
            "width and height are whole numbers of 1 or more."
        )
    opacity = pixels[..., 3:].astype(np.float32) / np.float32(255)
    layers = np.concatenate([pixels[..., :3].astype(np.float32) * opacity, opacity], axis=2)
    layers = resized(layers, width, height)
    alpha = layers[..., 3]
    colours = layers[..., :3] / np.maximum(alpha, np.float32(1e-6))[..., None]
    edged = binary(alpha) if hard else feathered(alpha, feather)
    return Stencil(to_bytes(colours), to_bytes(edged * np.float32(255)))


def binary(alpha: F32) -> F32:
    """1 where alpha (0 to 1) is at least half of its maximum, else 0."""
    threshold = min(_HALF, float(alpha.max()) / 2)
    return (alpha >= max(threshold, 1e-6)).astype(np.float32)


def feathered(alpha: F32, feather: float) -> F32:
    """Alpha (0 to 1) that fades inwards: about `feather` pixels along the edge become translucent.

    Inwards, because the outermost pixels of a cut-out contain some of its original background.
    Parts too thin for that, such as a leg, fade over their own width and stay opaque in the middle.
    """
    import cv2

    if feather <= 0:
        return alpha
    solid = cv2.copyMakeBorder((alpha >= _HALF).astype(np.uint8), 1, 1, 1, 1, cv2.BORDER_CONSTANT)
    depth = cv2.distanceTransform(solid, cv2.DIST_L2, cv2.DIST_MASK_PRECISE)[1:-1, 1:-1]
    reach = 2 * int(np.ceil(feather)) + 1
    near = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (reach, reach))
    full = np.clip(cv2.dilate(depth, near), 1, feather + 1)
    faded: F32 = alpha * np.minimum(np.maximum(depth, alpha) / full, 1)
    return faded


def resized(layers: F32, width: int, height: int) -> F32:
    """(H, W) or (H, W, C) layers resized: by area averaging to shrink, bilinear to enlarge.

    A layer resized alone may differ in the last bit from the same layer resized with others.
    """
    import cv2

    rows, columns = layers.shape[:2]
    smaller = min(columns, width), min(rows, height)
    if smaller != (columns, rows):
        layers = cv2.resize(layers, smaller, interpolation=cv2.INTER_AREA)
    if smaller != (width, height):
        layers = cv2.resize(layers, (width, height), interpolation=cv2.INTER_LINEAR)
    return layers


def to_bytes(values: Floating) -> Bytes:
    """The nearest integers from 0 to 255."""
    rounded: Bytes = np.rint(values).clip(0, 255).astype(np.uint8)
    return rounded
