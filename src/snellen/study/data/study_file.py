"""The database of a study: opened for reading or writing, and checked."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from snellen.errors import UserError
from snellen.store.journal_format.journal_file import opened_for_reading
from snellen.study.data.schema import APPLICATION, SCHEMA

DATABASE, CONFIG = "study.sqlite", "study.yaml"
"""The files of a study's folder, beside the pictures."""


@contextmanager
def readable_study(folder: Path) -> Iterator[sqlite3.Connection]:
    """A connection that changes nothing, also on read-only media."""
    path = _existing(folder)
    with _database_errors(path):
        db = opened_for_reading(path)
        try:
            _check(db, path)
            yield db
        finally:
            db.close()


def writable_study(folder: Path) -> sqlite3.Connection:
    """A connection for answers; what is deleted is zeroed.

    Commits are in the log, of which `SharedSync` says when it is on the disk.
    """
    path = _existing(folder)
    with _database_errors(path):
        db = sqlite3.connect(path, isolation_level=None, check_same_thread=False, timeout=10)
        try:
            _check(db, path)
            for pragma in (
                "journal_mode = WAL",
                "synchronous = NORMAL",
                "foreign_keys = ON",
                "secure_delete = ON",
            ):
                db.execute(f"PRAGMA {pragma}")
        except BaseException:
            db.close()
            raise
    return db


def _existing(folder: Path) -> Path:
    path = folder / DATABASE
    if not path.is_file():
        raise UserError(
            f"{folder}: is not the folder of a study: it has no {DATABASE}. Give the folder that "
            "`snellen study create` wrote.",
            next="snellen study create --help",
        )
    return path


def _check(db: sqlite3.Connection, path: Path) -> None:
    [application] = db.execute("PRAGMA application_id").fetchone()
    [schema] = db.execute("PRAGMA user_version").fetchone()
    if application != APPLICATION:
        raise UserError(f"{path}: is an SQLite file, but not that of a study. Give a study's.")
    if schema != SCHEMA:
        raise UserError(
            f"{path}: found schema {schema}, expected {SCHEMA}. Use the version of Snellen that "
            "created the study."
        )


@contextmanager
def _database_errors(path: Path) -> Iterator[None]:
    try:
        yield
    except sqlite3.DatabaseError as error:
        raise UserError(
            f"{path}: cannot be read as a study: {error}. Restore it from a copy, with its -wal "
            "file if there is one."
        ) from error
