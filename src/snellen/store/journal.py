"""The journal: the live record of a run in one SQLite file.

A unit's rows are written in one transaction when the unit ends, so that a killed run has whole
units only. Rows are keyed by the unit's place in the method's order, not by time of writing: the
same configuration gives the same rows in any order of completion.
"""

from __future__ import annotations

import hashlib
import json
import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from dataclasses import astuple, dataclass
from importlib.resources import files
from pathlib import Path
from typing import Any

from snellen.contract.verdict import CHECK, CONTROL, Verdict
from snellen.errors import SnellenError, UserError
from snellen.store.explanation_rows import explanation_tables
from snellen.store.run_folder import JOURNAL
from snellen.store.verdict_rows import NumberedPredictions, case_rows, event_rows

SCHEMA = "4"
ROWS = {
    "units": "number",
    "predictions": "number",
    "cases": "unit, number",
    "events": 'unit, "case", number',
    "struck": 'unit, "case", number',
    "explanations": 'unit, "case"',
    "causes": 'unit, "case", target',
    "rungs": 'unit, "case", number',
    "errors": "unit",
}
"""The tables whose rows depend on configuration and seed alone, and their order."""


SINCE_3 = ("struck", "explanations", "rungs")
SINCE_4 = ("causes",)
"""The tables that journals of earlier schemas do not have."""
SINGLE_TARGETS = """
    INSERT INTO causes
    SELECT unit, "case", number, cause,
           proven AND (SELECT count(*) FROM struck s WHERE s.unit = e.unit AND s."case" = e."case")
               = 1, says
    FROM explanations e JOIN struck USING (unit, "case")
"""
"""Schema 3 proved whole findings: of one that strikes several things none is proven by itself."""
CHECKS = ("identity", "reencode", "self-paste", "zero")
"""What schema 2 counted among the controls although it checks the tool."""


class StorageError(SnellenError):
    """The journal can't be written: the disk is full or broken."""


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

    def __init__(self, path: Path) -> None:
        self.path = path
        with storage_errors(path):
            self._db = sqlite3.connect(path, isolation_level=None)
            self._db.execute("PRAGMA journal_mode = WAL")
            self._db.execute("PRAGMA synchronous = NORMAL")
            self._db.execute("PRAGMA foreign_keys = ON")
            self._prepare()

    def _prepare(self) -> None:
        tables = self._db.execute("SELECT count(*) FROM sqlite_schema").fetchone()[0]
        if tables == 0:
            with self._transaction():
                for statement in _statements():
                    self._db.execute(statement)
                self._put("schema", SCHEMA)
        if self.get("schema") == "2":
            self._add_explanations()
        if self.get("schema") == "3":
            self._add_causes()
        found = self.get("schema")
        if found != SCHEMA:
            raise UserError(
                f"{self.path}: found journal schema {found!r}, expected {SCHEMA!r}. "
                "Use the version of Snellen that wrote it, or choose another `out`."
            )

    def _add_explanations(self) -> None:
        """Add what journals before schema 3 lack: explanations, struck things, truth, checks."""
        with self._transaction():
            self._db.execute("ALTER TABLE events ADD COLUMN truth TEXT")
            self._create(SINCE_3)
            for name in CHECKS:
                roles = f"{CHECK}{name}", f"{CONTROL}{name}"
                self._db.execute("UPDATE cases SET role = ? WHERE role = ?", roles)
            self._put("schema", "3")

    def _add_causes(self) -> None:
        """Add what journals before schema 4 lack: the cause of each struck thing."""
        with self._transaction():
            self._create(SINCE_4)
            self._db.execute(SINGLE_TARGETS)
            self._put("schema", SCHEMA)

    def _create(self, tables: Sequence[str]) -> None:
        for statement in _statements():
            if any(f"CREATE TABLE {name} " in statement for name in tables):
                self._db.execute(statement)

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

    def _put(self, key: str, value: Any) -> None:
        self._db.execute("INSERT OR REPLACE INTO run VALUES (?, ?)", (key, json.dumps(value)))

    def put(self, values: Mapping[str, Any]) -> None:
        """Write facts of the run, replacing those with the same keys."""
        with storage_errors(self.path), self._transaction():
            for key, value in values.items():
                self._put(key, value)

    def get(self, key: str) -> Any:
        """A fact of the run, or None."""
        row = self._db.execute("SELECT value FROM run WHERE key = ?", (key,)).fetchone()
        return None if row is None else json.loads(row[0])

    def ended(self) -> set[int]:
        """Numbers of the units that have ended."""
        return {row[0] for row in self._db.execute("SELECT number FROM units")}

    def forget_errors(self) -> int:
        """Remove the units that ended in an error, to examine them again; their number."""
        with storage_errors(self.path), self._transaction():
            for table in ("timing", "errors"):
                self._db.execute(
                    f"DELETE FROM {table} WHERE unit IN "
                    "(SELECT number FROM units WHERE status = 'error')"
                )
            return self._db.execute("DELETE FROM units WHERE status = 'error'").rowcount

    def write(self, end: UnitEnd, classes: tuple[str, ...]) -> None:
        """Write a unit's rows, all or none."""
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
        return self._db.execute(query, values).fetchall()

    def digest(self) -> str:
        """A hash of every row that depends on configuration and seed alone."""
        state = hashlib.blake2b(digest_size=16)
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


def journal_of(folder: Path) -> Journal:
    """The journal of a run folder, which must exist."""
    if not (folder / JOURNAL).is_file():
        raise UserError(
            f"{folder}: is not a run folder: it has no {JOURNAL}. "
            "Give the folder that `snellen run` wrote, the `out` of its configuration."
        )
    return Journal(folder / JOURNAL)


@contextmanager
def storage_errors(path: Path) -> Iterator[None]:
    """Turn SQLite's disk errors into one that says what to do."""
    try:
        yield
    except sqlite3.DatabaseError as error:
        if isinstance(error, sqlite3.IntegrityError | sqlite3.ProgrammingError):
            raise
        raise StorageError(
            f"{path}: cannot be written: {error}. Finished units are saved; "
            "free some disk space, then continue with --resume."
        ) from error


def _statements() -> list[str]:
    text = files("snellen.store").joinpath("schema.sql").read_text(encoding="utf-8")
    bare = "\n".join(line.split("--")[0] for line in text.splitlines())
    return [statement for statement in bare.split(";") if statement.strip()]
