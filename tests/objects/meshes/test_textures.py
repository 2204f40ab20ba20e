"""Textures of more pixels than the limit, wherever a mesh file keeps them."""

from __future__ import annotations

import base64
import json
import struct
from pathlib import Path

import pytest

from snellen.errors import UserError
from snellen.objects.meshes.textures import check_textures
from tests.fuzzing.test_masks import png

LARGE = png(13_000, 13_000)


def gltf(folder: Path) -> Path:
    path = folder / "a.gltf"
    uri = f"data:image/png;base64,{base64.b64encode(LARGE).decode()}"
    path.write_text(json.dumps({"images": [{"uri": uri}]}))
    return path


def glb(folder: Path) -> Path:
    text = json.dumps(
        {
            "images": [{"bufferView": 0, "mimeType": "image/png"}],
            "bufferViews": [{"buffer": 0, "byteOffset": 4, "byteLength": len(LARGE)}],
            "buffers": [{"byteLength": len(LARGE) + 4}],
        }
    ).encode()
    parts = struct.pack("<II", len(text), 0x4E4F534A) + text
    parts += struct.pack("<II", len(LARGE) + 4, 0x004E4942) + bytes(4) + LARGE
    path = folder / "a.glb"
    path.write_bytes(struct.pack("<III", 0x46546C67, 2, 12 + len(parts)) + parts)
    return path


def obj(folder: Path) -> Path:
    (folder / "a.mtl").write_text("newmtl m\nmap_Kd large.png\n")
    (folder / "large.png").write_bytes(LARGE)
    path = folder / "a.obj"
    path.write_text("mtllib a.mtl\n")
    return path


@pytest.mark.parametrize("write", [gltf, glb, obj])
def test_a_texture_of_too_many_pixels_is_refused(write, tmp_path: Path) -> None:  # type: ignore[no-untyped-def]
    with pytest.raises(UserError, match=r"has 13,000 x 13,000 pixels, more than the limit"):
        check_textures(write(tmp_path))
