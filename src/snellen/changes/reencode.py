"""Encode a scene's image again, as saving the file once more would."""

from __future__ import annotations

import io
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, ClassVar

import numpy as np

from snellen.changes.recipe import Materials, Recipe
from snellen.errors import UserError, nearest
from snellen.scenes.scene import Picture, PictureFile, Scene
from snellen.vision.arrays import Image, Ints

# The tables of Annex K of the JPEG standard (ITU-T T.81), which libjpeg scales; row by row.
_LUMINANCE = (
    "16 11 10 16 24 40 51 61 12 12 14 19 26 58 60 55 14 13 16 24 40 57 69 56 14 17 22 29 51 87 80 "
    "62 18 22 37 56 68 109 103 77 24 35 55 64 81 104 113 92 49 64 78 87 103 121 120 101 72 92 95 "
    "98 112 100 103 99"
)
_CHROMINANCE = (
    "17 18 24 47 99 99 99 99 18 21 26 66 99 99 99 99 24 26 56 99 99 99 99 99 47 66 99 99 99 99 99 "
    "99" + 32 * " 99"
)


class ReencodeFormat(StrEnum):
    """File formats that a scene can be encoded in."""

    JPEG = "jpeg"
    PNG = "png"


@dataclass(frozen=True)
class Reencode(Recipe):
    """The scene's image, encoded and decoded again.

    format: jpeg or png. quality: JPEG quality, 1 to 100 on libjpeg's scale. subsampling: chroma
    subsampling of a JPEG, 4:4:4, 4:2:2 or 4:2:0. PNG is lossless and ignores both.
    """

    kind: ClassVar[str] = "reencode"
    keeps_objects: ClassVar[bool] = True
    format: str
    quality: int
    subsampling: str = "4:2:0"

    def build(self, scene: Scene, materials: Materials) -> Image:
        """The scene's pixels, decoded from the re-encoded file."""
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
    """The fields of the `Reencode` that encodes a scene as its file is; PNG if that is no JPEG.

    >>> from snellen.scenes.scene import PictureArray
    >>> Reencode(*scene_encoding(Scene("a", PictureArray(np.zeros((4, 4, 3), np.uint8)), (4, 4))))
    Reencode(format='png', quality=100, subsampling='4:4:4')
    """
    found = jpeg_encoding(scene.picture)
    if found is None:
        return ReencodeFormat.PNG.value, 100, "4:4:4"
    return ReencodeFormat.JPEG.value, found.quality, found.subsampling


@dataclass(frozen=True)
class JpegEncoding:
    """quality: 1 to 100 on libjpeg's scale. subsampling: 4:4:4, 4:2:2 or 4:2:0."""

    quality: int
    subsampling: str


def jpeg_encoding(picture: Picture) -> JpegEncoding | None:
    """How a JPEG file is encoded, from its header; None for other files and pixels in memory."""
    from PIL import Image as Pillow
    from PIL.JpegImagePlugin import JpegImageFile, get_sampling

    if not isinstance(picture, PictureFile):
        return None
    try:
        with Pillow.open(picture.path) as image:
            if not isinstance(image, JpegImageFile):
                return None
            sampling = {0: "4:4:4", 1: "4:2:2"}.get(get_sampling(image), "4:2:0")
            return JpegEncoding(jpeg_quality(image.quantization), sampling)
    except OSError:
        return None


def jpeg_quality(tables: Mapping[int, Sequence[int]]) -> int:
    """The quality from 1 to 100 whose libjpeg tables are nearest to a file's quantization tables.

    tables: 64 divisors each, row by row; 0 is luminance, 1 chrominance if present. The quality is
    exact for files written by libjpeg. Other encoders, such as Photoshop, use their own tables and
    get the closest match.
    """
    standard = _standard_tables()
    names = [name for name in (0, 1) if name in tables] or sorted(tables)[:1]
    distance = np.zeros(100)
    for name in names:
        own = np.array(tables[name], dtype=np.int64)
        distance += np.abs(standard[:, min(name, 1)] - own).sum(axis=1)
    return int(np.argmin(distance)) + 1


def _standard_tables() -> Ints:
    """(100, 2, 64): libjpeg's luminance and chrominance tables at quality 1 to 100."""
    base = np.array([text.split() for text in (_LUMINANCE, _CHROMINANCE)]).astype(np.int64)
    quality = np.arange(1, 101)
    percent = np.where(quality < 50, 5000 // quality, 200 - 2 * quality)
    return np.asarray(np.clip((base * percent[:, None, None] + 50) // 100, 1, 255))
