"""Encode a scene again, as saving it once more would."""

from __future__ import annotations

import io
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, ClassVar

import numpy as np

from snellen.changes.encoding import encoding_of
from snellen.changes.recipe import Image, Materials, Recipe
from snellen.errors import UserError, nearest
from snellen.scenes.scene import Scene


class ReencodeFormat(StrEnum):
    """Kinds of files that a scene can be encoded as."""

    JPEG = "jpeg"
    PNG = "png"


@dataclass(frozen=True)
class Reencode(Recipe):
    """The scene encoded and decoded again.

    format: jpeg or png. quality: of a JPEG, 1 to 100 as libjpeg counts. subsampling: how a JPEG
    keeps its colours, 4:4:4, 4:2:2 or 4:2:0. A PNG keeps every pixel, whatever the quality.
    """

    kind: ClassVar[str] = "reencode"
    keeps_objects: ClassVar[bool] = True
    format: str
    quality: int
    subsampling: str = "4:2:0"

    def build(self, scene: Scene, materials: Materials) -> Image:
        """The scene's pixels after the file that this would write."""
        from PIL import Image as Pillow

        buffer = io.BytesIO()
        Pillow.fromarray(np.ascontiguousarray(scene.pixels())).save(buffer, **self._settings())
        with Pillow.open(buffer) as image:
            return np.array(image)

    def _settings(self) -> dict[str, Any]:
        if self.format == ReencodeFormat.PNG:
            return {"format": "PNG", "compress_level": 1}
        if self.format != ReencodeFormat.JPEG:
            raise UserError(f"unknown format '{self.format}'{nearest(self.format, ReencodeFormat)}")
        return {"format": "JPEG", "quality": self.quality, "subsampling": self.subsampling}


def scene_encoding(scene: Scene) -> tuple[str, int, str]:
    """The fields of the `Reencode` that saves a scene as it was saved: a PNG's if not as JPEG.

    >>> from snellen.scenes.scene import PictureArray
    >>> Reencode(*scene_encoding(Scene("a", PictureArray(np.zeros((4, 4, 3), np.uint8)), (4, 4))))
    Reencode(format='png', quality=100, subsampling='4:4:4')
    """
    found = encoding_of(scene.picture)
    if found is None:
        return ReencodeFormat.PNG.value, 100, "4:4:4"
    return ReencodeFormat.JPEG.value, found.quality, found.subsampling
