"""Backgrounds of compositions, each named by a short text in the recipe.

`#rrggbb`: one colour. `gradient:#rrggbb:#rrggbb:DEGREES`: from the first colour to the second, in
that direction, clockwise from the right. `photo:DIGEST`: a photograph from
`materials["backgrounds"]`, a mapping from digests to pictures, cropped about its centre to the
aspect ratio of the canvas.
"""

from __future__ import annotations

import math
import re
from threading import Lock

import numpy as np
from cachetools import cached

from snellen.changes.byte_cache import byte_cache
from snellen.changes.recipe import Materials
from snellen.errors import UserError
from snellen.scenes.scene import Picture
from snellen.vision.arrays import Image

MOST_BYTES = 64 * 2**20
"""Memory for decoded photographs."""

_COLOUR = re.compile("#[0-9a-fA-F]{6}")
_STEPS = 1 << 16


def background_image(background: str, width: int, height: int, materials: Materials) -> Image:
    """A new H x W x 3 image of a background; see the module docstring.

    >>> background_image("#ff8000", 2, 1, {}).tolist()
    [[[255, 128, 0], [255, 128, 0]]]
    >>> background_image("gradient:#000000:#ffffff:0", 3, 1, {})[..., 0].tolist()
    [[0, 128, 255]]
    """
    kind, _, rest = background.partition(":")
    parts = rest.split(":")
    if kind == "photo" and rest:
        return _crop_to_fill(_photograph(rest, materials), width, height)
    if kind == "gradient" and len(parts) == 3:
        first, second = _colour(parts[0], background), _colour(parts[1], background)
        return _gradient(first, second, _degrees(parts[2], background), width, height)
    return _plain(_colour(background, background), width, height)


def _colour(text: str, background: str) -> tuple[int, int, int]:
    if not _COLOUR.fullmatch(text):
        raise _unknown(background)
    red, green, blue = bytes.fromhex(text[1:])
    return red, green, blue


def _degrees(text: str, background: str) -> float:
    try:
        value = float(text)
    except ValueError:
        raise _unknown(background) from None
    if not math.isfinite(value):
        raise _unknown(background)
    return value


def _unknown(background: str) -> UserError:
    return UserError(
        f"unknown background '{background}'; write #rrggbb, gradient:#rrggbb:#rrggbb:DEGREES or "
        "photo:DIGEST."
    )


def _plain(colour: tuple[int, int, int], width: int, height: int) -> Image:
    image = np.empty((height, width, 3), dtype=np.uint8)
    image[...] = np.full((width, 3), colour, dtype=np.uint8)  # by rows: many pixels at a time
    return image


def _gradient(
    first: tuple[int, int, int],
    second: tuple[int, int, int],
    degrees: float,
    width: int,
    height: int,
) -> Image:
    """From corner to corner, so that both colours occur; in integers, the same on every machine."""
    angle = math.radians(degrees)
    right, down = round(_STEPS * math.cos(angle)), round(_STEPS * math.sin(angle))
    along = right * np.arange(width, dtype=np.int64)[None] + down * np.arange(height)[:, None]
    along -= along.min()
    length = max(int(along.max()), 1)
    share = (along * _STEPS // length)[..., None]
    mixed = (_STEPS - share) * np.array(first) + share * np.array(second) + _STEPS // 2
    image: Image = (mixed // _STEPS).astype(np.uint8)
    return image


def _crop_to_fill(photograph: Image, width: int, height: int) -> Image:
    """The largest central part with the aspect ratio of the canvas, resized to the canvas."""
    import cv2

    rows, columns = photograph.shape[:2]
    part = (
        min(columns, max(1, rows * width // height)),
        min(rows, max(1, columns * height // width)),
    )
    left, top = (columns - part[0]) // 2, (rows - part[1]) // 2
    middle = photograph[top : top + part[1], left : left + part[0]]
    shrinks = part[0] >= width
    how = cv2.INTER_AREA if shrinks else cv2.INTER_LINEAR
    image: Image = cv2.resize(np.ascontiguousarray(middle), (width, height), interpolation=how)
    return image


@cached(byte_cache(MOST_BYTES), key=lambda digest, *_: digest, lock=Lock())
def _photograph(digest: str, materials: Materials) -> Image:
    """The decoded photograph; its digest identifies the pixels, whatever the materials."""
    return _picture(digest, materials).pixels()


def _picture(digest: str, materials: Materials) -> Picture:
    pictures = materials.get("backgrounds") or {}
    if digest not in pictures:
        raise UserError(
            f"the recipe uses the photograph '{digest}' as background, which is not among the "
            f"{len(pictures)} given. Give the photographs it was made with as backgrounds."
        )
    found: Picture = pictures[digest]
    return found
