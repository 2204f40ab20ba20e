"""A library in a folder: an index, and one PNG file per cut-out, sorted by label."""

from __future__ import annotations

import io
import re
from collections import defaultdict
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np
from PIL import Image as Pillow

from snellen.disk.atomic_file import write_atomically
from snellen.errors import UserError
from snellen.objects.cooccurrence import CoOccurrence
from snellen.objects.cutouts.cutout import Cutout
from snellen.objects.library.library import Entry
from snellen.objects.library.library_index import read_facts, read_records
from snellen.objects.library.object_record import ObjectRecord
from snellen.scenes.image_files.opened_image import TooManyPixelsError, opened_image
from snellen.vision.arrays import Bytes

HELD = 64
"""Decoded cut-outs that a library caches."""


class FolderLibrary:
    """The cut-outs of a folder; see `Library`. Pickled as its path."""

    def __init__(self, path: Path) -> None:
        self.path = Path(path)
        self._records = {one.entry.id: one for one in read_records(self.path, kept_only=True)}
        self._entries: dict[str, list[Entry]] = defaultdict(list)
        for record in self._records.values():
            self._entries[record.entry.label].append(record.entry)
        self._decoded = lru_cache(maxsize=HELD)(self._read)

    def __reduce__(self) -> tuple[Any, ...]:
        return FolderLibrary, (self.path,)

    def labels(self) -> tuple[str, ...]:
        """Names of the labels that have a cut-out, sorted."""
        return tuple(sorted(self._entries))

    def entries(self, label: str) -> tuple[Entry, ...]:
        """The cut-outs of a label, in the order of the scenes."""
        return tuple(self._entries.get(label, ()))

    def cutout(self, id: str) -> Cutout:
        """The cut-out of an id."""
        return self._decoded(id)

    def facts(self) -> dict[str, Any]:
        """Facts about the whole library."""
        return read_facts(self.path)

    def records(self) -> list[ObjectRecord]:
        """All objects of the scenes it was built from, including pruned ones."""
        return read_records(self.path)

    def co_occurrence(self) -> CoOccurrence:
        """How often labels occur together in the scenes it was built from."""
        scenes: dict[str, list[str]] = defaultdict(list)
        for record in self.records():
            scenes[record.entry.source].append(record.entry.label)
        return CoOccurrence.of_scenes(scenes.values())

    def _read(self, id: str) -> Cutout:
        record = self._records.get(id)
        if record is None:
            raise UserError(
                f"{self.path}: there is no object '{id}' among its {len(self._records)}. "
                "Was the library built again with other scenes or options?"
            )
        cutout = Cutout(record.entry.label, read_cutout(self.path / record.file))
        if cutout.id != id:
            raise UserError(
                f"{self.path / record.file}: is not the cut-out that the index names: it was "
                "changed or damaged. Build the library again."
            )
        return Cutout(cutout.label, cutout.pixels, record.entry.source)


def cutout_file(cutout: Cutout) -> str:
    """The path of a cut-out inside the folder of its library.

    >>> cutout_file(Cutout("cat/dog", np.zeros((1, 1, 4), np.uint8))).split("/")[0]
    'cat_dog'
    """
    folder = re.sub(r"[^\w -]", "_", cutout.label).strip() or "_"
    return f"{folder}/{cutout.id}.png"


def write_cutout(path: Path, pixels: Bytes) -> None:
    """Write H x W x 4 uint8 RGBA as PNG; colours under transparent pixels are kept."""
    buffer = io.BytesIO()
    Pillow.fromarray(np.ascontiguousarray(pixels)).save(buffer, "PNG", compress_level=3)
    write_atomically(path, buffer.getvalue())


def read_cutout(path: Path) -> Bytes:
    """The cut-out in a PNG file with an alpha channel: H x W x 4 uint8 RGBA, read-only."""
    try:
        with opened_image(path) as image:
            if image.mode not in ("RGBA", "LA", "PA") and "transparency" not in image.info:
                raise UserError(
                    f"{path}: has no alpha channel (mode {image.mode}), so all of it would be "
                    "pasted. Save the cut-out as RGBA PNG."
                )
            pixels = np.array(image.convert("RGBA"))
    except FileNotFoundError:
        raise UserError(f"{path}: no such cut-out. Build the library again.") from None
    except UserError:
        raise
    except TooManyPixelsError as error:
        raise UserError(f"{path}: {error}.") from None
    except Exception as error:  # Pillow's readers raise anything for a damaged file
        raise UserError(
            f"{path}: cannot be read as a PNG file: {error}. Build the library again."
        ) from None
    pixels.flags.writeable = False
    return pixels
