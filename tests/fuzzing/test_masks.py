"""Damaged photographs and mask images, in all formats of files."""

from __future__ import annotations

import struct
import zlib
from collections.abc import Mapping
from pathlib import Path

from snellen.scenes.image_files.mask_image import read_region
from snellen.scenes.registry import open_scenes
from tests.fuzzing.driver import Files, ReaderTests, Target, main
from tests.fuzzing.mutations import BINARY
from tests.fuzzing.scene_files import SIZE, mask, photograph, read_scenes

KINDS = {"a.png": "PNG", "b.jpg": "JPEG", "c.tif": "TIFF", "d.webp": "WEBP", "e.bmp": "BMP",
         "f.gif": "GIF", "g.ppm": "PPM"}  # fmt: skip


def png(width: int, height: int, depth: int = 8, colour: int = 0, data: bytes = b"") -> bytes:
    """A PNG file with any header."""
    header = struct.pack(">IIBBBBB", width, height, depth, colour, 0, 0, 0)
    parts = (b"IHDR", header), (b"IDAT", zlib.compress(data)), (b"IEND", b"")
    body = b"".join(
        struct.pack(">I", len(one)) + name + one + struct.pack(">I", zlib.crc32(name + one))
        for name, one in parts
    )
    return b"\x89PNG\r\n\x1a\n" + body


def read(folder: Path) -> None:
    options = {
        "kind": "masks", "images": "images", "masks": "masks", "instances": True,
        "classes": {1: "road", 2: "lane"},
    }  # fmt: skip
    scenes = open_scenes(options, folder)
    read_scenes(scenes)
    for scene in scenes:
        scene.pixels()
        assert scene.region is not None
        read_region(scene.region, scene.size)
    read_scenes(open_scenes({"kind": "folder", "path": "images"}, folder))


IMAGES = {f"images/{name}": photograph(kind) for name, kind in KINDS.items()}
TARGET = Target(
    "masks",
    IMAGES | {f"masks/{Path(name).stem}.png": mask() for name in KINDS},
    {**dict.fromkeys(IMAGES, BINARY), "masks/a.png": BINARY, "masks/b.png": BINARY},
    read,
)


def both(data: bytes) -> Files:
    return {"images/a.png": data, "masks/a.png": data}


PAST: Mapping[str, Files] = {
    "13,000 x 13,000 pixels": both(png(13_000, 13_000, data=bytes(13_001 * 13_000))),
    "a huge header": both(png(2**31 - 1, 2**31 - 1)),
    "a header without pixels": both(png(0, 0)),
    "a header of 32 bits": both(png(*SIZE[::-1], depth=32)),
    "16 bits of colour": both(png(*SIZE[::-1], depth=16, colour=2)),
    "a program of PostScript": both(b"%!PS-Adobe-3.0 EPSF-3.0\n%%BoundingBox: 0 0 32 24\n"),
    "no bytes": both(b""),
    "a header alone": both(photograph()[:33]),
    "a PNG of 28 bytes": both(photograph()[:28]),
    "a photograph as a mask": {"masks/a.png": photograph()},
    "a value that is no class": {"masks/a.png": mask(7)},
    "another size": both(png(2, 2, data=bytes(6))),
    "text": both(b"not an image"),
}


class TestMasks(ReaderTests):
    target, past = TARGET, PAST


if __name__ == "__main__":
    import sys

    main(TARGET, *map(int, sys.argv[1:]))
