"""The textures that a mesh file refers to, and several of them stacked in one image."""

from __future__ import annotations

import json
import re
import struct
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from snellen.disk.path_checks import exists
from snellen.vision.arrays import Image

PICTURE = r"[^<>\"]+\.(?:png|jpe?g|bmp|tga|tiff?|webp)"


def pictures_named(path: Path) -> list[Path]:
    """The image files that a glTF, GLB, OBJ or DAE file refers to, whether they exist or not."""
    read = {".obj": _of_obj, ".dae": _of_dae, ".gltf": _of_gltf, ".glb": _of_gltf}
    return [path.parent / name for name in dict.fromkeys(read[path.suffix.lower()](path))]


def _of_obj(path: Path) -> list[str]:
    libraries = re.findall(r"^mtllib\s+(.+?)\s*$", _text(path), re.MULTILINE)
    found: list[str] = []
    for library in libraries:
        beside = path.parent / library
        text = _text(beside) if exists(beside) else ""
        found += re.findall(r"^\s*map_Kd\s+(.+?)\s*$", text, re.MULTILINE)
    return found


def _of_dae(path: Path) -> list[str]:
    return re.findall(rf"<init_from>\s*({PICTURE})\s*</init_from>", _text(path), re.IGNORECASE)


def _of_gltf(path: Path) -> list[str]:
    content = path.read_bytes()
    if path.suffix.lower() == ".glb":
        (length,) = struct.unpack_from("<I", content, 12)
        content = content[20 : 20 + length]
    images: list[dict[str, Any]] = json.loads(content).get("images", [])
    names = [str(image["uri"]) for image in images if "uri" in image]
    return [name for name in names if not name.startswith("data:")]


def _text(path: Path) -> str:
    return path.read_text(encoding="utf-8", errors="replace")


def stack(pictures: Sequence[Image]) -> tuple[Image, list[tuple[float, float, float, float]]]:
    """One image with all pictures, and the u offset, v offset, u scale and v scale of each in it.

    v counts from the lower edge.
    """
    width = max(picture.shape[1] for picture in pictures)
    height = sum(picture.shape[0] for picture in pictures)
    whole = np.zeros((height, width, 3), dtype=np.uint8)
    places, top = [], 0
    for picture in pictures:
        rows, columns = picture.shape[:2]
        whole[top : top + rows, :columns] = picture
        places.append((0.0, 1 - (top + rows) / height, columns / width, rows / height))
        top += rows
    return whole, places
