"""The textures of a mesh file: named, embedded, and several of them stacked in one image."""

from __future__ import annotations

import base64
import io
import re
import struct
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import IO, Any

import numpy as np

from snellen.disk.json_text import checked_json
from snellen.disk.path_checks import exists
from snellen.errors import UserError
from snellen.scenes.image_files.opened_image import TooManyPixelsError, opened_image
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
    names = [str(image["uri"]) for image in _gltf(path)[0].get("images", []) if "uri" in image]
    return [name for name in names if not name.startswith("data:")]


def check_textures(path: Path) -> None:
    """Refuse a mesh file with a texture of more pixels than the limit, before it is decoded."""
    for name in pictures_named(path):
        _check_picture(name, name)
    if path.suffix.lower() in (".gltf", ".glb"):
        for data in _embedded(path):
            _check_picture(io.BytesIO(data), path)


def _check_picture(source: Path | IO[bytes], where: Path) -> None:
    try:
        with opened_image(source):
            pass
    except TooManyPixelsError as error:
        raise UserError(f"{where}: {'' if where == source else 'a texture '}{error}.") from None
    except OSError:
        return  # not decoded either: its part of the mesh has no texture


def _embedded(path: Path) -> Iterator[bytes]:
    """The files of the images inside a glTF or GLB file and its buffers."""
    content, chunk = _gltf(path)
    for image in content.get("images", []):
        if str(image.get("uri", "")).startswith("data:"):
            yield _of_uri(path, str(image["uri"]))
        elif "bufferView" in image:
            view = content["bufferViews"][image["bufferView"]]
            uri = content["buffers"][view["buffer"]].get("uri")
            data = chunk if uri is None else _of_uri(path, str(uri))
            yield data[view.get("byteOffset", 0) :][: view["byteLength"]]


def _of_uri(path: Path, uri: str) -> bytes:
    if uri.startswith("data:"):
        return base64.b64decode(uri.partition(",")[2])
    return (path.parent / uri).read_bytes()


def _gltf(path: Path) -> tuple[dict[str, Any], bytes]:
    """The JSON of a glTF or GLB file, and the binary chunk of the latter."""
    content, chunk = path.read_bytes(), b""
    if path.suffix.lower() == ".glb":
        (length,) = struct.unpack_from("<I", content, 12)
        content, chunk = content[20 : 20 + length], content[28 + length :]
    values = checked_json(content)
    if not isinstance(values, dict):
        raise ValueError("its JSON is no object")
    return values, chunk


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
