"""The chunks of a PNG file, found by their headers alone."""

from __future__ import annotations

import os
import struct
from collections.abc import Iterator
from typing import IO

START = 8
"""Bytes of the signature, after which the chunks start."""
METADATA = (b"eXIf", b"tEXt", b"zTXt", b"iTXt")
"""Chunks that can hold an orientation."""
PIXELS, END = (b"IDAT", b"fdAT"), b"IEND"


def metadata_precede_pixels(file: IO[bytes] | None) -> bool:
    """Whether a PNG file is complete and no metadata follow its pixels.

    The position in the file is kept.
    """
    if file is None:
        return False
    place = file.tell()
    try:
        pixels = False
        for name in chunk_names(file):
            if name == END:
                return True
            if pixels and name in METADATA:
                return False
            pixels = pixels or name in PIXELS
        return False
    finally:
        file.seek(place)


def chunk_names(file: IO[bytes]) -> Iterator[bytes]:
    """The names of the chunks that lie within the file, in order."""
    size = file.seek(0, os.SEEK_END)
    at = START
    while at + 12 <= size:
        file.seek(at)
        length, name = struct.unpack(">I4s", file.read(8))
        at += 12 + length  # length and name before the data, a checksum after
        if at <= size:
            yield name
