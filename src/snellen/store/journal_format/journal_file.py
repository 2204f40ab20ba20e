"""The file of a journal: opened for reading without changing anything, and checked."""

from __future__ import annotations

import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from snellen.disk.storage_error import StorageError
from snellen.errors import UserError
from snellen.store.journal_format.journal_schema import SCHEMA, schema_of, table_names

AGAIN = "Restore the file from a copy, or run the configuration again with another `out`."
LOG, INDEX, UNDO = "-wal", "-shm", "-journal"
"""What SQLite keeps next to a database: the log of changes, its index, and what undoes a change."""


class _CopyConnection(sqlite3.Connection):
    """A connection to a copy in a temporary folder, which goes when it is closed."""

    folder: TemporaryDirectory[str] | None = None

    def close(self) -> None:
        """Close the file and remove it."""
        super().close()
        if self.folder is not None:
            self.folder.cleanup()


def opened_for_reading(path: Path) -> sqlite3.Connection:
    """A connection that changes no file and creates none next to the journal.

    A journal that no process has open has no write-ahead log, and is read as it is. With a log and
    its index, as while a run is writing and after a crash, SQLite reads both without changing them.
    Any other remains of a crash are merged in a copy.
    """
    if path.stat().st_size == 0:
        raise UserError(
            f"{path}: is empty: the run was stopped before it wrote anything, or the file was "
            "truncated. Run its configuration again with --resume."
        )
    log, index = (path.with_name(f"{path.name}{one}").exists() for one in (LOG, INDEX))
    if not ((log and index) or _size(path, LOG) or _size(path, UNDO)):
        return _connected(path, "immutable=1")
    if log and index and not _size(path, UNDO):
        db = _connected(path, "mode=ro&readonly_shm=1")
        try:
            table_names(db)
        except sqlite3.OperationalError as error:
            db.close()
            if _code(error) not in ("CANTOPEN", "READONLY"):
                raise
        else:
            return db
    return _copied(path)


def _size(path: Path, ending: str) -> int:
    beside = path.with_name(f"{path.name}{ending}")
    return beside.stat().st_size if beside.exists() else 0


def _connected(
    path: Path, mode: str, kind: type[sqlite3.Connection] = sqlite3.Connection
) -> sqlite3.Connection:
    uri = f"{path.absolute().as_uri()}?{mode}"
    return sqlite3.connect(uri, uri=True, isolation_level=None, factory=kind)


def _copied(path: Path) -> _CopyConnection:
    folder = TemporaryDirectory(prefix="snellen-")
    copy = Path(folder.name) / path.name
    for ending in ("", LOG, UNDO):
        if not ending or _size(path, ending):
            beside = path.with_name(f"{path.name}{ending}")
            shutil.copyfile(beside, copy.with_name(f"{copy.name}{ending}"))
    db = _connected(copy, "mode=rw", _CopyConnection)
    assert isinstance(db, _CopyConnection)
    db.folder = folder
    db.execute("PRAGMA query_only = ON")
    return db


def copied_to_memory(db: sqlite3.Connection) -> sqlite3.Connection:
    """The same database in memory; closes the one that it was copied from."""
    copy = sqlite3.connect(":memory:", isolation_level=None)
    db.backup(copy)
    db.close()
    return copy


def check_foreign(db: sqlite3.Connection, path: Path) -> None:
    """An error if a database is not a journal."""
    found = table_names(db)
    if not found:
        raise UserError(
            f"{path}: has no tables: the run was stopped before it wrote anything, or the file was "
            f"copied without its {path.name}{LOG}. Copy both, or run its configuration again with "
            "--resume."
        )
    if not {"run", "units", "cases"} <= found:
        raise UserError(
            f"{path}: is an SQLite file, but not the journal of a run; its tables: "
            f"{', '.join(sorted(found)[:4])}. Give the folder that `snellen run` wrote."
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
    """Turn errors of SQLite and of the file into one that says what is wrong with the file."""
    try:
        yield
    except sqlite3.DatabaseError as error:
        raise UserError(f"{path}: {_reading_problem(error)}") from error
    except OSError as error:
        raise UserError(f"{path}: cannot be read: {error.strerror or error}.") from error
    except (ValueError, RecursionError) as error:  # what should be text or JSON is not
        raise UserError(f"{path}: is damaged ({error}). {AGAIN}") from error


@contextmanager
def storage_errors(path: Path) -> Iterator[None]:
    """Turn SQLite's errors of a journal that is written into one that says what to do."""
    try:
        yield
    except sqlite3.DatabaseError as error:
        if isinstance(error, sqlite3.IntegrityError | sqlite3.ProgrammingError):
            raise
        raise StorageError(f"{path}: {_writing_problem(error)}") from error


def _code(error: sqlite3.DatabaseError) -> str:
    return str(getattr(error, "sqlite_errorname", "")).removeprefix("SQLITE_").split("_")[0]


def _content_problem(error: sqlite3.DatabaseError) -> str:
    if _code(error) == "NOTADB":
        return f"is not an SQLite file, so it is not a journal. {AGAIN}"
    return f"is damaged or truncated ({error}). {AGAIN}"


def _reading_problem(error: sqlite3.DatabaseError) -> str:
    code = _code(error)
    if code in ("BUSY", "LOCKED"):
        return "is locked by another process. Wait until it has ended, then try again."
    if code == "IOERR":
        return f"cannot be read: {error}. Check the disk, or copy the run folder and use the copy."
    if code == "CANTOPEN":
        return f"cannot be opened: {error}. Check that you may read the file and its folder."
    return _content_problem(error)


SAVED = "Finished units are saved"


def _writing_problem(error: sqlite3.DatabaseError) -> str:
    code = _code(error)
    if code == "FULL":
        return f"cannot be written: {error}. {SAVED}; free some space, then continue with --resume."
    if code == "IOERR":
        return (
            f"cannot be written: {error}. {SAVED}; check the disk and its free space, then "
            "continue with --resume."
        )
    if code in ("BUSY", "LOCKED"):
        return (
            f"is locked by another process. {SAVED}; wait until it has ended, then continue with "
            "--resume."
        )
    if code in ("CANTOPEN", "READONLY", "PERM"):
        return (
            f"cannot be written: {error}. {SAVED}; check that you may write to the folder and that "
            "it has free space, then continue with --resume."
        )
    return _content_problem(error)
