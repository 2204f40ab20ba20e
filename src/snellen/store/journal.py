"""The journal: the live record of a run in one SQLite file.

A unit's rows are written in one transaction when the unit ends, so that a killed run has whole
units only. Rows are keyed by the unit's place in the method's order, not by time of writing: the
same configuration gives the same rows in any order of completion.
"""

from __future__ import annotations

import hashlib
import json
import sqlite3
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from dataclasses import astuple, dataclass
from pathlib import Path
from typing import Any

from snellen.contract.verdict import Verdict
from snellen.errors import UserError
from snellen.store.explanation_rows import explanation_tables
from snellen.store.journal_format.journal_file import (
    AGAIN,
    check_foreign,
    check_schema,
    copied_to_memory,
    opened_for_reading,
    storage_errors,
    unreadable,
)
from snellen.store.journal_format.journal_schema import (
    SCHEMA,
    bring_up,
    create_tables,
    schema_of,
    table_names,
)
from snellen.store.journal_format.unit_checksums import (
    FACTS,
    ROWS,
    damaged_units,
    facts_checksum,
    remove_unit,
    unit_checksum,
)
from snellen.store.run_folder import JOURNAL
from snellen.store.verdict_rows import NumberedPredictions, case_rows, event_rows

SYNC_SECONDS = 1.0
"""Rows are on the disk at the latest when the first unit ends this long after the last sync."""


@dataclass(frozen=True)
class Failure:
    """Why a unit has no verdict. stage: `build`, `subject` or `method`."""

    stage: str
    kind: str
    message: str


@dataclass(frozen=True)
class UnitEnd:
    """How a unit ended: with a verdict or a failure."""

    number: int
    id: str
    scene: str
    questions: int
    verdict: Verdict | None = None
    failure: Failure | None = None
    cache_hits: int = 0
    building: float = 0.0
    subject: float = 0.0


class Journal:
    """One run's record, open for writing by one process."""

    _problems = staticmethod(storage_errors)

    def __init__(self, path: Path) -> None:
        self.path = path
        self._synced = -SYNC_SECONDS
        with storage_errors(path):
            self._db = sqlite3.connect(path, isolation_level=None)
            try:
                self._open()
            except BaseException:
                self._db.close()
                raise

    def _open(self) -> None:
        new = not table_names(self._db)
        if not new:
            check_foreign(self._db, self.path)
        self._db.execute("PRAGMA journal_mode = WAL")
        if new:
            with self._transaction():
                create_tables(self._db)
        if schema_of(self._db) != SCHEMA:
            with self._transaction():
                bring_up(self._db)
        check_schema(self._db, self.path)
        self._db.execute("PRAGMA foreign_keys = ON")

    @contextmanager
    def _transaction(self) -> Iterator[None]:
        self._db.execute("BEGIN IMMEDIATE")
        try:
            yield
        except BaseException:
            if self._db.in_transaction:
                self._db.execute("ROLLBACK")
            raise
        self._db.execute("COMMIT")

    def _sync_at_times(self) -> None:
        """Let the next commit wait for the disk if the last that did was a while ago."""
        now = time.monotonic()
        due = now - self._synced >= SYNC_SECONDS
        self._synced = now if due else self._synced
        self._db.execute(f"PRAGMA synchronous = {'FULL' if due else 'NORMAL'}")

    def _put(self, key: str, value: Any) -> None:
        self._db.execute("INSERT OR REPLACE INTO run VALUES (?, ?)", (key, json.dumps(value)))

    def put(self, values: Mapping[str, Any]) -> None:
        """Write facts of the run, replacing those with the same keys."""
        with storage_errors(self.path), self._transaction():
            for key, value in values.items():
                self._put(key, value)
            self._put(FACTS, facts_checksum(self._db))

    def facts_hold(self) -> bool | None:
        """Whether facts and manifest are as written; None if a version without checksums wrote."""
        written = self.get(FACTS)
        with self._problems(self.path):
            return None if written is None else bool(written == facts_checksum(self._db))

    def get(self, key: str) -> Any:
        """A fact of the run, or None."""
        rows = self.rows("SELECT value FROM run WHERE key = ?", (key,))
        try:
            return json.loads(rows[0][0]) if rows else None
        except ValueError:
            raise UserError(
                f"{self.path}: is damaged: what it says of '{key}' is no JSON. {AGAIN}"
            ) from None

    def ended(self) -> set[int]:
        """Numbers of the units that have ended."""
        return {number for (number,) in self.rows("SELECT number FROM units")}

    def forget_errors(self) -> int:
        """Remove the units that ended in an error, to examine them again; their number."""
        failed = self.rows("SELECT number FROM units WHERE status = 'error'")
        return self.forget([number for (number,) in failed])

    def forget(self, units: Sequence[int]) -> int:
        """Remove units, by number, to examine them again; their number."""
        with storage_errors(self.path), self._transaction():
            self._db.execute("PRAGMA defer_foreign_keys = ON")
            for number in units:
                remove_unit(self._db, number)
        return len(units)

    def damaged(self) -> list[int]:
        """Numbers of the units whose rows are not the ones that were written."""
        with self._problems(self.path):
            return damaged_units(self._db)

    def begin(self, facts: Mapping[str, Any], manifest: Mapping[str, str]) -> None:
        """Record the facts and the units of a new run.

        manifest: digests of the units' scenes by unit id, in order.
        """
        rows = [(id, number, digest) for number, (id, digest) in enumerate(manifest.items())]
        with storage_errors(self.path), self._transaction():
            self._db.executemany("INSERT INTO manifest VALUES (?, ?, ?)", rows)
            for key, value in facts.items():
                self._put(key, value)
            self._put(FACTS, facts_checksum(self._db))

    def manifest(self) -> dict[str, str] | None:
        """Digests by unit id, in order; None for a run of a version that recorded none."""
        rows = self.rows("SELECT unit, digest FROM manifest ORDER BY number")
        return dict(rows) if rows else None

    def write(self, end: UnitEnd, classes: tuple[str, ...]) -> None:
        """Write a unit's rows, all or none."""
        with storage_errors(self.path):
            self._sync_at_times()
        with storage_errors(self.path), self._transaction():
            status = "error" if end.verdict is None else "done"
            notes = {} if end.verdict is None else dict(end.verdict.notes)
            self._db.execute(
                "INSERT INTO units VALUES (?, ?, ?, ?, ?, ?)",
                (end.number, end.id, end.scene, status, end.questions, json.dumps(notes)),
            )
            if end.verdict is not None:
                self._write_verdict(end, end.verdict, classes)
            if end.failure is not None:
                self._db.execute(
                    "INSERT INTO errors VALUES (?, ?, ?, ?)", (end.number, *astuple(end.failure))
                )
            self._db.execute(
                "INSERT INTO timing VALUES (?, ?, ?, ?)",
                (end.number, end.cache_hits, end.building, end.subject),
            )
            self._db.execute(
                "INSERT INTO checksums VALUES (?, ?)",
                (end.number, unit_checksum(self._db, end.number)),
            )

    def _write_verdict(self, end: UnitEnd, verdict: Verdict, classes: tuple[str, ...]) -> None:
        numbered = NumberedPredictions(end.number, verdict)
        self._db.executemany("INSERT INTO predictions VALUES (?, ?)", numbered.rows())
        self._db.executemany(
            "INSERT INTO cases VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            case_rows(end.number, end.id, verdict, numbered),
        )
        self._db.executemany(
            f"INSERT INTO events VALUES ({', '.join('?' * 21)})",
            event_rows(end.number, verdict, classes),
        )
        for table, rows in explanation_tables(end.number, verdict).items():
            for row in rows:
                self._db.execute(f"INSERT INTO {table} VALUES ({', '.join('?' * len(row))})", row)

    def rows(self, query: str, values: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
        """The rows of a query."""
        with self._problems(self.path):
            return self._db.execute(query, values).fetchall()

    def digest(self) -> str:
        """A hash of every row that depends on configuration and seed alone."""
        state = hashlib.blake2b(digest_size=16)
        with self._problems(self.path):
            for table, order in ROWS.items():
                for row in self._db.execute(f"SELECT * FROM {table} ORDER BY {order}"):
                    state.update(repr(row).encode())
        return state.hexdigest()

    def close(self) -> None:
        """Merge the write-ahead log and close."""
        with closing(self._db):
            try:
                self._db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
            except sqlite3.Error:
                return  # the log stays next to the journal and is read with it


class ReadJournal(Journal):
    """A run's record, open for reading: no file is changed, and none is created.

    A journal of an earlier schema is brought up to date in memory.
    """

    _problems = staticmethod(unreadable)

    def __init__(self, path: Path) -> None:
        self.path = path
        with unreadable(path):
            self._db = opened_for_reading(path)
            try:
                check_foreign(self._db, path)
                if schema_of(self._db) != SCHEMA:
                    self._db = copied_to_memory(self._db)
                    with self._transaction():
                        bring_up(self._db)
                check_schema(self._db, path)
            except BaseException:
                self._db.close()
                raise

    def close(self) -> None:
        """Close the file."""
        self._db.close()


def journal_of(folder: Path) -> Journal:
    """The journal of a run folder, which must exist, for reading."""
    if not (folder / JOURNAL).is_file():
        why = f"it has no {JOURNAL}" if folder.exists() else "it does not exist"
        raise UserError(
            f"{folder}: is not a run folder: {why}. Give the folder that `snellen run` wrote, the "
            f"`out` of its configuration{_runs_in(folder)}.",
            next="snellen docs runs",
        )
    return ReadJournal(folder / JOURNAL)


def _runs_in(folder: Path) -> str:
    """A clause that names the run folders inside one, or beside it if it does not exist."""
    place = folder if folder.is_dir() else folder.parent
    runs = sorted(str(one.parent) for one in place.glob(f"*/{JOURNAL}"))
    return f", such as {', '.join(runs[:3])}" if runs else ""
