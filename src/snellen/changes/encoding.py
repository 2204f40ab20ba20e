"""How a picture's file was encoded, read from its header."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import cast

import numpy as np
import numpy.typing as npt

from snellen.scenes.scene import Picture, PictureFile

Tables = npt.NDArray[np.int64]

# Annex K of the JPEG standard (ITU-T T.81): the tables that libjpeg scales, row by row.
_LUMINANCE = (
    "16 11 10 16 24 40 51 61 12 12 14 19 26 58 60 55 14 13 16 24 40 57 69 56 14 17 22 29 51 87 80 "
    "62 18 22 37 56 68 109 103 77 24 35 55 64 81 104 113 92 49 64 78 87 103 121 120 101 72 92 95 "
    "98 112 100 103 99"
)
_CHROMINANCE = (
    "17 18 24 47 99 99 99 99 18 21 26 66 99 99 99 99 24 26 56 99 99 99 99 99 47 66 99 99 99 99 99 "
    "99" + 32 * " 99"
)


@dataclass(frozen=True)
class JPEG:
    """quality: 1 to 100 as libjpeg counts. subsampling: 4:4:4, 4:2:2 or 4:2:0."""

    quality: int
    subsampling: str


def encoding_of(picture: Picture) -> JPEG | None:
    """How a JPEG file was encoded; None of any other file, and of pixels in memory."""
    from PIL import Image as Pillow
    from PIL.JpegImagePlugin import JpegImageFile, get_sampling

    if not isinstance(picture, PictureFile):
        return None
    try:
        with Pillow.open(picture.path) as image:
            if not isinstance(image, JpegImageFile):
                return None
            sampling = {0: "4:4:4", 1: "4:2:2"}.get(get_sampling(image), "4:2:0")
            return JPEG(quality_of(image.quantization), sampling)
    except OSError:
        return None


def quality_of(tables: Mapping[int, Sequence[int]]) -> int:
    """The quality from 1 to 100 at which libjpeg's tables are nearest to a file's.

    tables: 64 divisors each, row by row; 0 is luminance, 1 chrominance where there is one. Of a
    file that libjpeg wrote it is the very quality; others, such as Photoshop's, have tables of
    their own and get the most like it.
    """
    standard = _scaled_tables()
    names = [name for name in (0, 1) if name in tables] or sorted(tables)[:1]
    distance = np.zeros(100)
    for name in names:
        own = np.array(tables[name], dtype=np.int64)
        distance += np.abs(standard[:, min(name, 1)] - own).sum(axis=1)
    return int(np.argmin(distance)) + 1


def _scaled_tables() -> Tables:
    """The luminance and chrominance tables of libjpeg, quality 1 to 100: 100 x 2 x 64."""
    base = np.array([text.split() for text in (_LUMINANCE, _CHROMINANCE)]).astype(np.int64)
    quality = np.arange(1, 101)
    percent = np.where(quality < 50, 5000 // quality, 200 - 2 * quality)
    return cast(Tables, np.clip((base * percent[:, None, None] + 50) // 100, 1, 255))
