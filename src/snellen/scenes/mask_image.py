"""Mask images: one value a pixel, such as a class, an instance or the drivable area."""

from __future__ import annotations

import io
from pathlib import Path

import numpy as np
from PIL import Image as Pillow
from PIL import ImageOps

from snellen.disk.atomic_file import write_atomically
from snellen.errors import UserError
from snellen.scenes.pictures import picture_bytes, picture_size
from snellen.vision.arrays import AnyArray, Ints

_PLAIN = ("1", "L", "P", "I", "I;16", "I;16L", "I;16B", "I;16N")


def read_region(path: Path, size: tuple[int, int] | None = None) -> Ints:
    """The values of a mask image: H x W int64, upright; palette entries by number, not colour.

    size: the (height, width) that the mask must have. A colour image is accepted where red, green
    and blue are equal everywhere.
    """
    data = picture_bytes(path)
    try:
        with Pillow.open(io.BytesIO(data)) as image:
            image.load()
            values = _values(ImageOps.exif_transpose(image), path)
    except UserError:
        raise
    except Exception as error:
        raise UserError(f"{path}: cannot be read as a mask image: {error}.") from None
    check_size(path, (values.shape[0], values.shape[1]), size)
    return values


def check_region(path: Path, size: tuple[int, int]) -> Path:
    """The mask's path, if it is there and has that (height, width), by its header alone."""
    if not path.is_file():
        raise UserError(f"{path}: no such mask image.")
    check_size(path, picture_size(path), size)
    return path


def check_size(path: Path, found: tuple[int, int], size: tuple[int, int] | None) -> None:
    """An error where a mask has not the size of its image."""
    if size is not None and found != size:
        raise UserError(
            f"{path}: the mask has width {found[1]} and height {found[0]}, "
            f"its image has {size[1]} and {size[0]}. Export it at the image's size."
        )


def write_region(path: Path, values: AnyArray) -> None:
    """Write a mask image as a greyscale PNG, of 8 bits where the values fit, else of 16."""
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
            f"{path}: a mask needs one value a pixel, this is a colour image (mode {image.mode}). "
            "Export it as greyscale or palette PNG."
        )
    return colour[..., 0].astype(np.int64)
