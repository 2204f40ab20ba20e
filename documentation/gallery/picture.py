"""Pictures of the gallery: small files of what the tool drew."""

from __future__ import annotations

import io
from collections.abc import Iterator
from pathlib import Path

from PIL import Image as Pillow

WIDTH = 1100
"""Widest picture in pixels."""
LIMIT = 90_000
"""Largest file in bytes."""


def write_small(picture: Pillow.Image, path: Path) -> None:
    """Write a picture as WebP, no wider than `WIDTH`, as finely as `LIMIT` allows."""
    small = picture.convert("RGB")
    small.thumbnail((WIDTH, 10 * WIDTH), Pillow.Resampling.LANCZOS)
    fitting = next((data for data in _finer_first(small) if len(data) <= LIMIT), None)
    assert fitting is not None, f"{path.name}: more than {LIMIT} bytes even at low quality"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(fitting)


def _finer_first(picture: Pillow.Image) -> Iterator[bytes]:
    for quality in (90, 80, 70, 55, 40, 20):
        file = io.BytesIO()
        picture.save(file, "WEBP", quality=quality, method=6)
        yield file.getvalue()
