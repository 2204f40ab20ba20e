"""Image files opened, by their header, before any pixel is decoded: bounded in pixels and formats.

A file of 20 kB can hold an image of gigabytes. So an image with more pixels than the limit is
refused, wherever it comes from: scenes, masks, cut-outs, textures, drawn masks. The limit is
`SNELLEN_MAX_PIXELS`, by default 89,478,485 (Pillow's own: 256 MB of 8-bit RGB).
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

from PIL import Image as Pillow

from snellen.errors import UserError

VARIABLE = "SNELLEN_MAX_PIXELS"
LIMIT = 89_478_485
FORMATS = ("PNG", "JPEG", "BMP", "DIB", "TIFF", "WEBP", "PPM", "GIF")
"""What is decoded. Pillow would hand others, such as PostScript, to programs of the system."""


class TooManyPixelsError(ValueError):
    """An image has more pixels than the limit. what: its size."""

    def __init__(self, what: str) -> None:
        super().__init__(
            f"{what}, more than the limit of {pixel_limit():,}. Reduce the image, or set "
            f"{VARIABLE} to a larger number if you trust it"
        )


def pixel_limit() -> int:
    """The largest number of pixels of an image."""
    given = os.environ.get(VARIABLE)
    if given is None:
        return LIMIT
    if not (given.isdecimal() and len(given) < 19 and int(given) > 0):
        raise UserError(f"{VARIABLE}: found '{given}', expected a number of pixels above 0.")
    return int(given)


@contextmanager
def opened_image(source: Path | IO[bytes]) -> Iterator[Pillow.Image]:
    """The image with its header read; a `TooManyPixelsError` if it is too large to be decoded."""
    limit = pixel_limit()
    own = Pillow.MAX_IMAGE_PIXELS
    if own is not None and limit > 2 * own:
        Pillow.MAX_IMAGE_PIXELS = limit  # the user's word counts, also for Pillow
    try:
        image = Pillow.open(source, formats=FORMATS)
    except Pillow.DecompressionBombError:
        raise TooManyPixelsError("has too many pixels") from None
    with image:
        check_pixels(*image.size)
        yield image


def check_pixels(width: int, height: int) -> None:
    """Raise a `TooManyPixelsError` for an image of this size if it is too large."""
    if width * height > pixel_limit():
        raise TooManyPixelsError(f"has {width:,} x {height:,} pixels")
