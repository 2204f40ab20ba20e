"""Damaged object libraries: the index, the cut-outs and the list of excluded objects."""

from __future__ import annotations

import sqlite3
import tempfile
from collections.abc import Mapping
from contextlib import closing
from functools import cache
from pathlib import Path

import numpy as np

from snellen.objects.library.exclusion_file import read_exclusions
from snellen.objects.library.folder_library import FolderLibrary
from snellen.objects.library.library import origin_facts
from snellen.objects.library.library_builder import CutPlan, build_library
from snellen.objects.library.library_index import INDEX
from snellen.objects.library.prune_rules import PruneOptions
from tests.fuzzing.driver import Files, ReaderTests, Target, main
from tests.fuzzing.mutations import BINARY, SQLITE, TEXT
from tests.fuzzing.scene_files import encoded, photograph
from tests.fuzzing.test_masks import png
from tests.objects.pictures import disc, scene_of, set_of


@cache
def made() -> dict[str, bytes]:
    """The files of a library."""
    size = (90, 120)
    scene = scene_of([disc(size, (30, 40), 20), disc(size, (60, 80), 25)], [0, 1])
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder) / "library"
        build_library(
            set_of(scene, classes=("ball", "cube")), CutPlan("masks", PruneOptions()), place, {}
        )
        files = {
            path.relative_to(place).as_posix(): path.read_bytes()
            for path in sorted(place.rglob("*"))
            if path.is_file()
        }
        ids = [one.entry.id for one in FolderLibrary(place).records()]
    return {**files, "exclude.txt": f"{ids[0][:9]}  # one\n".encode()}


def read(folder: Path) -> None:
    library = FolderLibrary(folder)
    origin_facts(library)
    library.co_occurrence()
    library.records()
    for label in library.labels():
        for entry in library.entries(label):
            library.cutout(entry.id)
    read_exclusions(folder / "exclude.txt", library)


def target() -> Target:
    """The reader and a valid library."""
    damaged = {INDEX: SQLITE, "exclude.txt": TEXT, picture(): BINARY}
    return Target("object libraries", made(), damaged, read)


def picture() -> str:
    """The file of a cut-out."""
    return next(name for name in made() if name.endswith(".png"))


def index(statement: str, *values: object) -> Files:
    """The index after a statement."""
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder) / INDEX
        place.write_bytes(made()[INDEX])
        with closing(sqlite3.connect(place)) as db, db:
            db.execute(statement, values)
        return {INDEX: place.read_bytes()}


def past() -> Mapping[str, Files]:
    """Files that are damaged in known ways."""
    return {
        "an empty index": {INDEX: b""},
        "an index that is text": {INDEX: b"not a database" * 100},
        "half an index": {INDEX: made()[INDEX][: len(made()[INDEX]) // 2]},
        "a hash that is no number": index("UPDATE objects SET hash = 'xyz'"),
        "a hash that is a number": index("UPDATE objects SET hash = 1.5"),
        "a hash of bytes": index("UPDATE objects SET hash = ?", b"\xff"),
        "a file of 300 characters": index("UPDATE objects SET file = ?", "n" * 300),
        "a file with a null": index("UPDATE objects SET file = ?", "a\0b"),
        "a file outside of the folder": index("UPDATE objects SET file = '/etc/passwd'"),
        "a file of bytes": index("UPDATE objects SET file = ?", b"\xff"),
        "a label of bytes": index("UPDATE objects SET label = ?", b"\xff"),
        "an id of bytes": index("UPDATE objects SET id = ?", b"\xff"),
        "a text that is not UTF-8": index("UPDATE objects SET label = CAST(x'ff' AS TEXT)"),
        "facts that are no JSON": index("UPDATE facts SET value = 'x' WHERE key != 'format'"),
        "facts in deep lists": index("UPDATE facts SET value = ?", "[" * 100_000),
        "a format of 5,000 digits": index("UPDATE facts SET value = ?", "9" * 5000),
        "facts of numbers": index("UPDATE facts SET value = 5 WHERE key != 'format'"),
        "no table": index("DROP TABLE objects"),
        "a cut-out of 13,000 x 13,000 pixels": {
            picture(): png(13_000, 13_000, colour=6, data=bytes(1000))
        },
        "a cut-out without alpha": {picture(): photograph()},
        "another cut-out": {picture(): encoded(np.full((9, 9, 4), 255, np.uint8))},
        "a cut-out of no bytes": {picture(): b""},
        "exclusions that are not text": {"exclude.txt": b"\xff\xfe"},
        "an exclusion of 5,000 digits": {"exclude.txt": b"9" * 5000},
    }  # fmt: skip


class TestObjectLibraries(ReaderTests):
    @property
    def target(self) -> Target:
        return target()

    @property
    def past(self) -> Mapping[str, Files]:
        return past()


if __name__ == "__main__":
    import sys

    main(target(), *map(int, sys.argv[1:]))
