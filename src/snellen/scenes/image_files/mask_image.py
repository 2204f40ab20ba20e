"""Mask images: one value per pixel, such as a class, an instance or the drivable area."""

from __future__ import annotations

import io
from pathlib import Path

import numpy as np
from PIL import Image as Pillow
from PIL import ImageOps

from snellen.disk.atomic_file import write_atomically
from snellen.disk.path_checks import is_file
from snellen.errors import UserError
from snellen.scenes.image_files.opened_image import TooManyPixelsError, opened_image
from snellen.scenes.pictures import picture_bytes, picture_size
from snellen.vision.arrays import AnyArray, Ints

_PLAIN = ("1", "L", "P", "I", "I;16", "I;16L", "I;16B", "I;16N")


def read_region(path: Path, size: tuple[int, int] | None = None) -> Ints:
    """The values of a mask image: H x W int64, upright; palette indices, not their colours.

    size: the (height, width) that the mask must have. A colour image is accepted if red, green and
    blue are equal in every pixel.
    """
    data = picture_bytes(path)
    try:
        with opened_image(io.BytesIO(data)) as image:
            image.load()
            values = _values(ImageOps.exif_transpose(image), path)
    except UserError:
        raise
    except TooManyPixelsError as error:
        raise UserError(f"{path}: {error}.") from None
    except Exception as error:
        raise UserError(
            f"{path}: cannot be read as a mask image: {error}. Export it as greyscale or palette "
            "PNG."
        ) from None
    check_size(path, (values.shape[0], values.shape[1]), size)
    return values


def check_region(path: Path, size: tuple[int, int]) -> Path:
    """The mask's path, if it exists and its header gives that (height, width)."""
    if not is_file(path):
        raise UserError(f"{path}: no such mask image. Correct the path.")
    check_size(path, picture_size(path), size)
    return path


def check_size(path: Path, found: tuple[int, int], size: tuple[int, int] | None) -> None:
    """Raise an error if a mask does not have the size of its image."""
    if size is not None and found != size:
        raise UserError(
            f"{path}: the mask has width {found[1]} and height {found[0]}, "
            f"its image has width {size[1]} and height {size[0]}. Export it at the image's size."
        )


def write_region(path: Path, values: AnyArray) -> None:
    """Write a mask image as a greyscale PNG, 8 bits if the values fit, else 16 bits."""
    low, high = (int(values.min()), int(values.max())) if values.size else (0, 0)
    if low < 0 or high > 65535:
        raise UserError(f"{path}: a mask image holds values 0 to 65535, found {low} to {high}.")
    buffer = io.BytesIO()
    narrow = np.ascontiguousarray(values, dtype=np.uint8 if high < 256 else np.uint16)
    Pillow.fromarray(narrow).save(buffer, "PNG")
    write_atomically(path, buffer.getvalue())


def _values(image: Pillow.Image, path: Path) -> Ints:
    array = np.asarray(image)
    if image.mode in _PLAIN:
        return array.astype(np.int64)
    colour = array[..., :3] if image.mode in ("RGB", "RGBA") else array[..., :1]
    if image.mode not in ("RGB", "RGBA", "LA") or (colour != colour[..., :1]).any():
        raise UserError(
            f"{path}: found a colour image (mode {image.mode}), expected one value per pixel. "
            "Export it as greyscale or palette PNG."
        )
    return colour[..., 0].astype(np.int64)
