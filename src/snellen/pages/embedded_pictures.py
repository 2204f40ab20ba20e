"""Embedded pictures: a scene once, and only the part of each case that differs."""

from __future__ import annotations

import base64
import hashlib
from dataclasses import dataclass

import numpy as np

from snellen.vision.arrays import Image

WIDTHS = (1280, 960, 720, 540, 400)
QUALITY, PATCH_QUALITY = 80, 86
PADDING = 2
"""Pixels around the part that differs, so that its border does not show."""
Part = tuple[float, float, float, float]


@dataclass(frozen=True)
class Embedded:
    """A scene as JPEG, and the part that differs after: a JPEG and its place in shares (xyxy).

    patch: None where the pictures are the same.
    """

    scene: bytes
    patch: bytes | None
    part: Part

    @property
    def size(self) -> int:
        """Total bytes."""
        return len(self.scene) + len(self.patch or b"")


def embedded(before: Image, after: Image, limit: int) -> Embedded:
    """Two pictures as small files, as wide as `limit` bytes allow, with a minimum width."""
    for width in WIDTHS:
        found = _at(before, after, min(width, before.shape[1]))
        if found.size <= limit:
            break
    return found


def _at(before: Image, after: Image, width: int) -> Embedded:
    old, new = _scaled(before, width), _scaled(after, width)
    scene = _jpeg(old, QUALITY)
    if old.shape != new.shape:
        return Embedded(scene, _jpeg(new, QUALITY), (0, 0, 1, 1))
    differs = (old != new).any(axis=2)
    if not differs.any():
        return Embedded(scene, None, (0, 0, 0, 0))
    height = old.shape[0]
    top, bottom = _extent(differs.any(axis=1))
    left, right = _extent(differs.any(axis=0))
    patch = _jpeg(new[top:bottom, left:right], PATCH_QUALITY)
    part = (left / width, top / height, right / width, bottom / height)
    return Embedded(scene, patch, part)


def thumbnail(image: Image, width: int) -> bytes:
    """A picture as a small JPEG, no wider than `width` pixels."""
    return _jpeg(_scaled(image, min(width, image.shape[1])), QUALITY)


def _extent(flags: np.ndarray[tuple[int], np.dtype[np.bool_]]) -> tuple[int, int]:
    places = np.flatnonzero(flags)
    return max(0, int(places[0]) - PADDING), min(len(flags), int(places[-1]) + 1 + PADDING)


def _scaled(image: Image, width: int) -> Image:
    import cv2

    if width == image.shape[1]:
        return image
    size = (width, max(1, round(image.shape[0] * width / image.shape[1])))
    return np.asarray(cv2.resize(image, size, interpolation=cv2.INTER_AREA), dtype=np.uint8)


def _jpeg(image: Image, quality: int) -> bytes:
    import cv2

    ok, data = cv2.imencode(".jpg", image[..., ::-1], [cv2.IMWRITE_JPEG_QUALITY, quality])
    assert ok
    return bytes(np.asarray(data).tobytes())


class Album:
    """Pictures by CSS class, each stored once."""

    def __init__(self) -> None:
        self._pictures: dict[str, bytes] = {}

    def add(self, jpeg: bytes) -> str:
        """The CSS class of a picture."""
        name = "p" + hashlib.blake2b(jpeg, digest_size=6).hexdigest()
        self._pictures[name] = jpeg
        return name

    def css(self) -> str:
        """A CSS rule for each picture."""
        return "\n".join(
            f".{name}{{background-image:url(data:image/jpeg;base64,"
            f"{base64.b64encode(jpeg).decode()})}}"
            for name, jpeg in self._pictures.items()
        )
