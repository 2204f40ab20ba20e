"""A contact sheet: many cut-outs in one picture."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

import numpy as np
from PIL import Image as Pillow
from PIL import ImageDraw, ImageFont

from snellen.vision.arrays import F32, AnyArray, Bytes, Image

CELL = 148
CAPTION = 40
_LIGHT, _DARK = 205, 165


def contact_sheet(
    pictures: Sequence[Bytes], captions: Sequence[Sequence[str]], columns: int = 8
) -> Image:
    """An H x W x 3 picture of cut-outs (H x W x 4 RGBA) on a chequered background, row by row.

    captions: up to three short lines for each. Cut-outs are shrunk to fit and enlarged at most
    twice.
    """
    columns = max(1, min(columns, len(pictures)))
    rows = max(1, -(-len(pictures) // columns))
    sheet = np.full((rows * (CELL + CAPTION), columns * CELL, 3), 250, np.uint8)
    for place, picture in enumerate(pictures):
        top, left = (place // columns) * (CELL + CAPTION), (place % columns) * CELL
        sheet[top : top + CELL, left : left + CELL] = _cell(picture)
    return _add_captions(sheet, captions, columns)


def _cell(picture: Bytes) -> AnyArray:
    inner = CELL - 8
    height, width = picture.shape[:2]
    scale = min(inner / width, inner / height, 2.0)
    size = max(1, round(width * scale)), max(1, round(height * scale))
    small = resized(picture, size)
    cell = _chequerboard()
    top, left = (CELL - size[1]) // 2, (CELL - size[0]) // 2
    alpha = small[..., 3:] / 255
    view = cell[top : top + size[1], left : left + size[0]]
    view[:] = np.rint(alpha * small[..., :3] + (1 - alpha) * view).astype(np.uint8)
    return cell


def resized(picture: Bytes, size: tuple[int, int]) -> F32:
    """RGBA resized to (width, height) in pixels, 0 to 255, with colours weighted by opacity."""
    import cv2

    smaller = size[0] * size[1] < picture.shape[0] * picture.shape[1]
    method = cv2.INTER_AREA if smaller else cv2.INTER_LINEAR
    planes = picture.astype(np.float32)
    planes[..., :3] *= planes[..., 3:] / 255
    small: F32 = cv2.resize(planes, size, interpolation=method)
    small[..., :3] /= np.maximum(small[..., 3:] / 255, 1e-3)
    return small.clip(0, 255)


def _chequerboard() -> Image:
    rows, columns = np.indices((CELL, CELL)) // 10
    grey = np.where((rows + columns) % 2, _DARK, _LIGHT).astype(np.uint8)
    return np.repeat(grey[..., None], 3, axis=2)


def _add_captions(sheet: Image, captions: Sequence[Sequence[str]], columns: int) -> Image:
    picture = Pillow.fromarray(sheet)
    pen = ImageDraw.Draw(picture)
    for place, lines in enumerate(captions):
        top = (place // columns) * (CELL + CAPTION) + CELL + 2
        for row, line in enumerate(lines[:3]):
            spot = ((place % columns) * CELL + 4, top + 12 * row)
            pen.text(spot, line[:26], fill=(30, 30, 30), font=_font())
    return np.array(picture)


@cache
def _font() -> ImageFont.ImageFont | ImageFont.FreeTypeFont:
    return ImageFont.load_default(size=11)
