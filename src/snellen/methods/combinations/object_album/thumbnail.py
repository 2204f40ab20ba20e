"""A small picture of a cut-out for a page."""

from __future__ import annotations

import base64

import numpy as np

from snellen.objects.contact_sheet import resized
from snellen.pages.markup import Markup, tag
from snellen.vision.arrays import F32, Bytes

QUALITY = 75
REACH = 17
"""In pixels: one compression block and one more."""


def thumbnail(pixels: Bytes, side: int) -> tuple[bytes, int, int]:
    """A WebP file of a cut-out (H x W x 4 RGBA) with its alpha, and its width and height.

    Its longer side is `side` pixels; nothing is enlarged more than twice.
    """
    import cv2

    height, width = pixels.shape[:2]
    scale = min(side / width, side / height, 2.0)
    size = max(1, round(width * scale)), max(1, round(height * scale))
    small = _spread(resized(pixels, size))
    swapped = np.ascontiguousarray(np.rint(small).astype(np.uint8)[..., [2, 1, 0, 3]])
    done, data = cv2.imencode(".webp", swapped, [cv2.IMWRITE_WEBP_QUALITY, QUALITY])
    assert done
    return bytes(np.asarray(data).tobytes()), *size


def thumbnail_image(pixels: Bytes, side: int) -> Markup:
    """The thumbnail as an element of a page."""
    data, width, height = thumbnail(pixels, side)
    source = f"data:image/webp;base64,{base64.b64encode(data).decode()}"
    size = {"width": width, "height": height}
    return tag("img", src=source, **size, alt="", loading="lazy", decoding="async")


def _spread(picture: F32) -> F32:
    """RGBA with the colours of the edge extended outwards, so that compression adds no dark rim."""
    import cv2

    alpha = picture[..., 3:]
    weights = cv2.blur(alpha, (REACH, REACH))[..., None]
    colours = cv2.blur(picture[..., :3] * alpha, (REACH, REACH)) / np.maximum(weights, 1e-3)
    return np.concatenate([np.where(alpha > 0, picture[..., :3], colours), alpha], axis=2)
