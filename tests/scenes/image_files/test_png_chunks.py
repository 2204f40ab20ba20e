"""The size of an upright PNG, without decoding its pixels and with the orientation of Pillow."""

from __future__ import annotations

import io
import itertools
import struct
import zlib
from pathlib import Path

import pytest
from PIL import Image as Pillow

from snellen.errors import UserError
from snellen.scenes.pictures import upright_size

SIZE = (4, 6)
"""(height, width) as stored."""
EXIF = Pillow.Exif()
EXIF[0x0112] = 6
HEX = EXIF.tobytes().hex()
PROFILE = b"Raw profile type exif\0\0" + zlib.compress(f"\nexif\n{len(HEX) // 2}\n{HEX}\n".encode())
XMP = b'<x:xmpmeta><r tiff:Orientation="8"/></x:xmpmeta>'
METADATA = {
    "none": (),
    "eXIf": ((b"eXIf", EXIF.tobytes()[6:]),),
    "zTXt": ((b"zTXt", PROFILE),),
    "iTXt": ((b"iTXt", b"XML:com.adobe.xmp\0\0\0\0\0" + XMP),),
    "tEXt": ((b"tEXt", b"Comment\0none"),),
    "tIME": ((b"tIME", bytes(7)),),
}


def chunk(name: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))


def png(before: str = "none", after: str = "none", pixels: bytes | None = None) -> bytes:
    """A PNG of two IDAT chunks with metadata before and after them."""
    header = struct.pack(">IIBBBBB", SIZE[1], SIZE[0], 8, 0, 0, 0, 0)
    packed = zlib.compress(bytes((SIZE[1] + 1) * SIZE[0])) if pixels is None else pixels
    parts = [
        (b"IHDR", header), *METADATA[before], (b"IDAT", packed[:5]), (b"IDAT", packed[5:]),
        *METADATA[after], (b"IEND", b""),
    ]  # fmt: skip
    return b"\x89PNG\r\n\x1a\n" + b"".join(chunk(*one) for one in parts)


@pytest.mark.parametrize(("before", "after"), [*itertools.product(METADATA, METADATA)])
def test_metadata_count_wherever_they_stand(before: str, after: str, tmp_path: Path) -> None:
    data = png(before, after)
    (tmp_path / "a.png").write_bytes(data)
    with Pillow.open(io.BytesIO(data)) as image:
        expected = image.getexif().get(0x0112, 1)
    turned = {"eXIf", "zTXt", "iTXt"} & {before, after}
    assert (expected != 1) == bool(turned)
    size = SIZE[::-1] if turned else SIZE
    assert upright_size(tmp_path / "a.png") == (size, expected)


@pytest.mark.parametrize("before", METADATA)
def test_pixels_are_not_decoded(
    before: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "a.png").write_bytes(png(before))

    def load(image: object) -> None:
        raise AssertionError("pixels are decoded")

    monkeypatch.setattr("PIL.PngImagePlugin.PngImageFile.load", load)
    assert upright_size(tmp_path / "a.png")[1] == {"iTXt": 8, "eXIf": 6, "zTXt": 6}.get(before, 1)


def test_a_file_without_its_end_is_refused_where_pixels_are_missing(tmp_path: Path) -> None:
    (tmp_path / "a.png").write_bytes(png()[:-12])  # the end alone, which Pillow forgives
    assert upright_size(tmp_path / "a.png") == (SIZE, 1)
    (tmp_path / "a.png").write_bytes(png()[:-30])
    with pytest.raises(UserError, match="cannot be read as an image"):
        upright_size(tmp_path / "a.png")
