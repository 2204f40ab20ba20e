"""Image files read to pixels and written, the same way everywhere.

Every file becomes H x W x 3 uint8 RGB:
- rotated upright by its EXIF (or TIFF) orientation;
- greyscale and 1-bit repeated over three channels; palette colours looked up; CMYK converted
  without a profile (including Adobe's inverted JPEGs);
- 16-bit values divided by 257 and rounded, so that 65535 becomes 255;
- alpha dropped and the colours under it kept, as in the loaders of common detectors;
- only the first frame or page; colour profiles are not applied.

Pillow decodes all of these except 16-bit colour, which it truncates to 8 bits; OpenCV reads that.
"""

from __future__ import annotations

import io
from pathlib import Path
from typing import Any

import numpy as np
from PIL import Image as Pillow
from PIL import ImageOps

from snellen.disk.atomic_file import write_atomically
from snellen.errors import UserError
from snellen.scenes.image_files.opened_image import TooManyPixelsError, opened_image
from snellen.scenes.image_files.png_chunks import metadata_precede_pixels
from snellen.vision.arrays import AnyArray, Image

SUFFIXES = (".jpg", ".jpeg", ".png", ".bmp", ".tif", ".tiff", ".webp", ".ppm", ".pgm", ".gif")

_ORIENTATION = 0x0112
_BITS_PER_SAMPLE = 0x0102
_GREY_16 = ("I;16", "I;16L", "I;16B", "I;16N")


def read_picture(path: Path) -> Image:
    """The image in a file: H x W x 3 uint8 RGB, upright."""
    data = picture_bytes(path)
    try:
        with opened_image(io.BytesIO(data)) as image:
            if _is_16_bit_colour(image, data):
                return _read_16_bit_colour(image, data)
            image.load()
            return _to_rgb(ImageOps.exif_transpose(image))
    except UserError:
        raise
    except Exception as error:
        raise _unreadable(path, error) from None


def picture_size(path: Path) -> tuple[int, int]:
    """(height, width) of the upright image, from the file's header alone."""
    return upright_size(path)[0]


def upright_size(path: Path) -> tuple[tuple[int, int], int]:
    """(height, width) of the upright image, and the EXIF orientation (1 to 8; 1 is upright)."""
    try:
        with opened_image(path) as image:
            width, height = _stored_size(image)
            turn = orientation(image)
    except FileNotFoundError:
        raise UserError(f"{path}: no such image file. Correct the path.") from None
    except UserError:
        raise
    except Exception as error:
        raise _unreadable(path, error) from None
    return ((width, height) if turn >= 5 else (height, width)), turn


def write_picture(path: Path, pixels: Image, *, quality: int = 95) -> None:
    """Write H x W x 3 uint8 RGB atomically as PNG, or as JPEG if the name ends in .jpg or .jpeg."""
    kind = {".png": "PNG", ".jpg": "JPEG", ".jpeg": "JPEG"}.get(path.suffix.lower())
    if kind is None:
        raise UserError(
            f"{path}: found the suffix '{path.suffix}', expected .png, .jpg or .jpeg. Rename it."
        )
    settings: dict[str, Any] = {"quality": quality} if kind == "JPEG" else {"compress_level": 3}
    buffer = io.BytesIO()
    Pillow.fromarray(np.ascontiguousarray(pixels)).save(buffer, kind, **settings)
    write_atomically(path, buffer.getvalue())


def picture_bytes(path: Path) -> bytes:
    """The file's bytes."""
    try:
        return path.read_bytes()
    except FileNotFoundError:
        raise UserError(f"{path}: no such image file. Correct the path.") from None
    except OSError as error:
        raise _unreadable(path, error) from None


def orientation(image: Pillow.Image) -> int:
    """The EXIF orientation of an opened image, 1 (upright) to 8.

    Pillow decodes the pixels of a PNG to see whether metadata follow them, which the names of the
    chunks say as well.
    """
    if image.format == "PNG" and metadata_precede_pixels(getattr(image, "fp", None)):
        turn = Pillow.Image.getexif(image).get(_ORIENTATION, 1)
    else:
        turn = image.getexif().get(_ORIENTATION, 1)
    return turn if turn in range(1, 9) else 1


def _stored_size(image: Pillow.Image) -> tuple[int, int]:
    # Some releases of Pillow swap a TIFF's size on opening, others do not; its tags are reliable.
    tags = getattr(image, "tag_v2", None)
    return (tags[256], tags[257]) if tags is not None else image.size


def _is_16_bit_colour(image: Pillow.Image, data: bytes) -> bool:
    if image.mode in _GREY_16:
        return False
    if image.format == "PNG":
        return data[24] == 16
    bits = image.tag_v2.get(_BITS_PER_SAMPLE, (8,)) if image.format == "TIFF" else (8,)  # type: ignore[attr-defined]
    return bool(np.max(bits) == 16)


def _read_16_bit_colour(image: Pillow.Image, data: bytes) -> Image:
    import cv2

    turn = orientation(image)
    wide = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_UNCHANGED)
    if wide is None or wide.dtype != np.uint16 or image.mode == "CMYK":
        raise OSError(f"16-bit {image.format} of mode {image.mode} cannot be decoded")
    narrow = _to_8_bits(wide if wide.ndim == 3 else np.repeat(wide[..., None], 3, axis=2))
    # OpenCV rotates a 16-bit TIFF upright itself, but not a PNG.
    pixels: Image = upright(narrow[..., 2::-1], turn if image.format == "PNG" else 1)
    return pixels


def upright(pixels: AnyArray, turn: int) -> Any:
    """The array rotated and mirrored by EXIF orientation `turn` (1 to 8)."""
    if turn >= 5:
        pixels = pixels.swapaxes(0, 1)
    rows, columns = turn in (3, 4, 7, 8), turn in (2, 3, 6, 7)
    return np.ascontiguousarray(pixels[:: -1 if rows else 1, :: -1 if columns else 1])


def _to_rgb(image: Pillow.Image) -> Image:
    if image.mode in _GREY_16 or (image.mode == "I" and image.format in ("PNG", "PPM")):
        return np.repeat(_to_8_bits(np.asarray(image))[..., None], 3, axis=2)
    if image.mode in ("I", "F"):
        raise OSError(f"its pixels are 32-bit numbers (mode {image.mode}) without a known maximum")
    if image.mode == "P":
        image = image.convert("RGBA")
    return np.array(image if image.mode == "RGB" else image.convert("RGB"))


def _to_8_bits(wide: AnyArray) -> Image:
    return ((wide.astype(np.uint32) + 128) // 257).astype(np.uint8)


def _unreadable(path: Path, error: BaseException) -> UserError:
    if isinstance(error, TooManyPixelsError):
        return UserError(f"{path}: {error}.")
    return UserError(
        f"{path}: cannot be read as an image: {str(error).rstrip('.') or type(error).__name__}. "
        "Fetch or export the file again as 8- or 16-bit PNG, JPEG, TIFF, WebP or BMP."
    )
