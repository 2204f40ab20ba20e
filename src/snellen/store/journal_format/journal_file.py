"""The file of a journal: opened for reading without changing anything, and checked."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from snellen.errors import UserError
from snellen.store.journal_format.journal_schema import SCHEMA, schema_of, table_names

AGAIN = "Restore the file from a copy, or run the configuration again with another `out`."


def opened_for_reading(path: Path) -> sqlite3.Connection:
    """A connection that changes no file and creates none.

    A journal that no process has open has no write-ahead log, and is read as it is, also from
    read-only media. With a log, SQLite must see both.
    """
    if path.stat().st_size == 0:
        raise UserError(
            f"{path}: is empty: the run was stopped before it wrote anything, or the file was "
            "truncated. Run its configuration again with --resume."
        )
    log = path.with_name(f"{path.name}-wal")
    mode = "mode=ro" if log.exists() and log.stat().st_size else "immutable=1"
    return sqlite3.connect(f"{path.absolute().as_uri()}?{mode}", uri=True, isolation_level=None)


def copied_to_memory(db: sqlite3.Connection) -> sqlite3.Connection:
    """The same database in memory; closes the one that it was copied from."""
    copy = sqlite3.connect(":memory:", isolation_level=None)
    db.backup(copy)
    db.close()
    return copy


def check_foreign(db: sqlite3.Connection, path: Path) -> None:
    """An error if a database is not a journal."""
    found = table_names(db)
    if not {"run", "units", "cases"} <= found:
        has = ", ".join(sorted(found)[:4]) or "none"
        raise UserError(
            f"{path}: is an SQLite file, but not the journal of a run; its tables: {has}. "
            "Give the folder that `snellen run` wrote."
        )


def check_schema(db: sqlite3.Connection, path: Path) -> None:
    """An error if a journal has a schema that this version does not know."""
    found = schema_of(db)
    if found != SCHEMA:
        raise UserError(
            f"{path}: found journal schema {found!r}, expected {SCHEMA!r}. "
            "Use the version of Snellen that wrote it, or choose another `out`."
        )


@contextmanager
def unreadable(path: Path) -> Iterator[None]:
    """Turn SQLite's errors into one that says what is wrong with the file."""
    try:
        yield
    except (sqlite3.DatabaseError, ValueError, RecursionError) as error:  # or no text, no JSON
        raise UserError(f"{path}: {_reason(path, error)}") from error


def _reason(path: Path, error: Exception) -> str:
    code = getattr(error, "sqlite_errorname", "")
    if code.startswith("SQLITE_NOTADB"):
        return f"is not an SQLite file, so it is not a journal. {AGAIN}"
    if code.startswith(("SQLITE_BUSY", "SQLITE_LOCKED")):
        return "another process is writing it. Wait for that run to end, then try again."
    if code.startswith(("SQLITE_CANTOPEN", "SQLITE_READONLY")):
        log = f"{path.name}-wal"
        return (
            f"has changes in {log} that cannot be read where the folder can't be written. Copy the "
            "run folder to where you may write, and use the copy."
        )
    return f"is damaged or truncated ({error}). {AGAIN}"
