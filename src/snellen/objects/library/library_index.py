"""The index of a library in a folder: an SQLite file with a row for every object, also pruned."""

from __future__ import annotations

import errno
import json
import sqlite3
from collections.abc import Iterable, Iterator, Mapping
from contextlib import closing, contextmanager
from dataclasses import asdict, fields
from pathlib import Path
from typing import Any

from snellen.disk.json_text import checked_json
from snellen.disk.path_checks import is_file
from snellen.disk.storage_error import unwritable
from snellen.errors import UserError
from snellen.errors.excerpt import shown
from snellen.objects.library.library import Entry
from snellen.objects.library.object_record import CutoutQuality, ObjectRecord

INDEX = "index.sqlite"
FORMAT = 1

_SCHEMA = """
CREATE TABLE facts (key TEXT PRIMARY KEY, value TEXT NOT NULL);
CREATE TABLE objects (
  number INTEGER PRIMARY KEY,
  id TEXT NOT NULL,
  label TEXT NOT NULL,
  width INTEGER NOT NULL,
  height INTEGER NOT NULL,
  area INTEGER NOT NULL,
  hash TEXT NOT NULL,
  source TEXT NOT NULL,
  origin TEXT NOT NULL,
  score REAL,
  touches_border INTEGER NOT NULL,
  fragments INTEGER NOT NULL,
  holes REAL NOT NULL,
  occluded REAL NOT NULL,
  sharpness REAL NOT NULL,
  filled REAL NOT NULL,
  contrast REAL NOT NULL,
  fit REAL NOT NULL,
  recognised REAL,
  cut TEXT NOT NULL,
  why TEXT NOT NULL,
  file TEXT NOT NULL,
  kept INTEGER GENERATED ALWAYS AS (why = '') VIRTUAL
);
CREATE INDEX by_label ON objects (label, kept);
CREATE INDEX by_id ON objects (id);
"""

_ENTRY = tuple(field.name for field in fields(Entry))
_QUALITY = tuple(field.name for field in fields(CutoutQuality))
_NUMBER = (int, float)
_TYPES: dict[str, Any] = {
    **dict.fromkeys(("width", "height", "area", "touches_border", "fragments"), int),
    **dict.fromkeys(("holes", "occluded", "sharpness", "filled", "contrast", "fit"), _NUMBER),
    **dict.fromkeys(("score", "recognised"), (*_NUMBER, type(None))),
}
"""The types of the columns that are not text; SQLite itself keeps any value in any column."""
_COLUMNS = (*_ENTRY, *_QUALITY, "cut", "why", "file")


def write_index(folder: Path, records: Iterable[ObjectRecord], facts: Mapping[str, Any]) -> None:
    """Write the index of a library into its folder."""
    marks = ", ".join("?" for _ in _COLUMNS)
    try:
        with closing(sqlite3.connect(folder / INDEX)) as connection, connection:
            connection.executescript(_SCHEMA)
            connection.executemany(
                "INSERT INTO facts VALUES (?, ?)",
                [(key, json.dumps(value)) for key, value in {**facts, "format": FORMAT}.items()],
            )
            connection.executemany(
                f"INSERT INTO objects ({', '.join(_COLUMNS)}) VALUES ({marks})",
                (_row(record) for record in records),
            )
    except sqlite3.OperationalError as error:
        raise unwritable(folder / INDEX, OSError(errno.EIO, str(error))) from error


def read_facts(folder: Path) -> dict[str, Any]:
    """Facts about the whole library."""
    with _opened(folder) as connection:
        rows = connection.execute("SELECT key, value FROM facts").fetchall()
        return {key: checked_json(value) for key, value in rows}


def read_records(folder: Path, *, kept_only: bool = False) -> list[ObjectRecord]:
    """All objects of the index, in the order of the scenes."""
    condition = "WHERE kept" if kept_only else ""
    query = f"SELECT {', '.join(_COLUMNS)} FROM objects {condition} ORDER BY number"
    with _opened(folder) as connection:
        return [_record(row) for row in connection.execute(query)]


def _row(record: ObjectRecord) -> list[Any]:
    values = {**asdict(record.entry), **asdict(record.quality)}
    values["hash"] = f"{record.entry.hash:016x}"
    return [*values.values(), record.cut, record.why, record.file]


def _record(row: tuple[Any, ...]) -> ObjectRecord:
    values = dict(zip(_COLUMNS, row, strict=True))
    for name, value in values.items():
        if not isinstance(value, _TYPES.get(name, str)):
            raise ValueError(f"{name} is {shown(value)}")
    values["hash"] = int(values["hash"], 16)
    values["touches_border"] = bool(values["touches_border"])
    return ObjectRecord(
        Entry(**{name: values[name] for name in _ENTRY}),
        CutoutQuality(**{name: values[name] for name in _QUALITY}),
        values["cut"],
        values["why"],
        values["file"],
    )


@contextmanager
def _opened(folder: Path) -> Iterator[sqlite3.Connection]:
    path = folder / INDEX
    if not is_file(path):
        raise UserError(
            f"{folder}: not an object library: it has no {INDEX}. "
            "Build one with: snellen objects build CONFIG --out FOLDER"
        )
    try:
        uri = f"{path.resolve().as_uri()}?mode=ro&immutable=1"
        with closing(sqlite3.connect(uri, uri=True)) as connection:
            _check(path, connection)
            yield connection
    except (sqlite3.Error, ValueError, TypeError, OverflowError) as error:
        raise UserError(
            f"{path}: cannot be read as the index of an object library: {error}. Build it again."
        ) from None


def _check(path: Path, connection: sqlite3.Connection) -> None:
    row = connection.execute("SELECT value FROM facts WHERE key = 'format'").fetchone()
    found = checked_json(row[0]) if row else None
    if found != FORMAT:
        raise UserError(
            f"{path}: has format {shown(found)}, this version of Snellen reads {FORMAT}. "
            "Build it again."
        )
