"""Predictions cached on disk, so that no question is put twice to the same subject.

One file per subject fingerprint; a row's key is the hash of the scene and of the recipe, which
includes the version of the change. A row carries a checksum; a damaged one is a miss, which is
counted and logged. The cache is optional: if it cannot be used, the run continues without
it and logs a warning. A file that SQLite calls damaged is deleted: the next run begins another.
"""

from __future__ import annotations

import hashlib
import json
import logging
import sqlite3
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from typing import Protocol

from snellen.changes.measures.registry import requested_measurements
from snellen.contract.questions import Answer, Question
from snellen.store.codec import prediction_from_text, prediction_to_text

log = logging.getLogger(__name__)


def question_key(question: Question) -> str:
    """The question's part of the key."""
    drawn = f":draw {question.draw}" if question.draw else ""
    return f"{question.scene.digest}:{question.recipe.digest}{drawn}"


class Predictions(Protocol):
    """A cache of answers."""

    def get(self, key: str, measures: tuple[str, ...]) -> Answer | None:
        """The stored answer, if it has all those measurements."""

    def put(self, answers: Iterable[tuple[str, Answer]]) -> None:
        """Store answers."""

    def close(self) -> None:
        """Close the file."""

    @property
    def damaged(self) -> int:
        """Damaged rows that were asked for and not used."""


class NoPredictions:
    """An empty cache, for runs without one."""

    damaged = 0

    def get(self, key: str, measures: tuple[str, ...]) -> Answer | None:
        """Nothing."""
        return None

    def put(self, answers: Iterable[tuple[str, Answer]]) -> None:
        """Store nothing."""

    def close(self) -> None:
        """Nothing to close."""


class PredictionFile:
    """Predictions of one subject in one SQLite file, shared by any number of runs."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._broken = self._spoiled = False
        self.damaged = 0
        self._db = sqlite3.connect(path, isolation_level=None, timeout=5)
        self._db.text_factory = bytes  # what is not UTF-8 any more is a damaged row like another
        try:
            self._open()
        except sqlite3.Error:
            self._db.close()
            raise

    def _open(self) -> None:
        self._db.execute("PRAGMA journal_mode = WAL")
        self._db.execute("PRAGMA synchronous = OFF")
        columns = self._db.execute("SELECT name FROM pragma_table_info('answers')").fetchall()
        if columns and (b"checksum",) not in columns:
            self._db.execute("DROP TABLE answers")  # of a version that had no checksums
        self._db.execute(
            "CREATE TABLE IF NOT EXISTS answers (key TEXT PRIMARY KEY, prediction TEXT NOT NULL, "
            "measurements TEXT NOT NULL, checksum BLOB NOT NULL) STRICT, WITHOUT ROWID"
        )

    def get(self, key: str, measures: tuple[str, ...]) -> Answer | None:
        """The stored answer, if it has all those measurements."""
        if self._broken:
            return None
        try:
            row = self._db.execute(
                "SELECT prediction, measurements, checksum FROM answers WHERE key = ?", (key,)
            ).fetchone()
            if row is None:
                return None
            if row[2] != _checksum(key.encode(), row[0], row[1]):
                self.damaged += 1
                return None
            wanted = requested_measurements(json.loads(row[1]), measures)
            return None if wanted is None else Answer(prediction_from_text(row[0].decode()), wanted)
        except (sqlite3.Error, ValueError, KeyError) as error:
            self._give_up(error)
            return None

    def put(self, answers: Iterable[tuple[str, Answer]]) -> None:
        """Store answers."""
        if self._broken:
            return
        texts = [
            (key, prediction_to_text(answer.prediction), json.dumps(dict(answer.measurements)))
            for key, answer in answers
        ]
        rows = [(*row, _checksum(*(one.encode() for one in row))) for row in texts]
        try:
            self._db.execute("BEGIN IMMEDIATE")
            self._db.executemany("INSERT OR REPLACE INTO answers VALUES (?, ?, ?, ?)", rows)
            self._db.execute("COMMIT")
        except sqlite3.Error as error:
            self._give_up(error)

    def _give_up(self, error: Exception) -> None:
        self._broken = True
        self._spoiled = _is_damage(error)
        log.warning("%s: the prediction cache is disabled for this run: %s", self._path, error)

    def close(self) -> None:
        """Close the file."""
        self._db.close()
        if self._spoiled:
            _remove(self._path)
        if self.damaged:
            log.warning(
                "%s: %d cached answers were damaged and were asked again. Check the disk.",
                self._path,
                self.damaged,
            )


def _checksum(key: bytes, prediction: bytes, measurements: bytes) -> bytes:
    """Of a row with its key, so that a row under another's key is damaged, too."""
    return hashlib.blake2b(b"\0".join((key, prediction, measurements)), digest_size=8).digest()


def _is_damage(error: Exception) -> bool:
    """Whether SQLite cannot use the file because of what is in it."""
    name = str(getattr(error, "sqlite_errorname", ""))
    return name.startswith(("SQLITE_CORRUPT", "SQLITE_NOTADB"))


def _remove(path: Path) -> None:
    """Delete a cache, so that the next run begins another."""
    for ending in ("", "-wal", "-shm"):
        with suppress(OSError):
            path.with_name(f"{path.name}{ending}").unlink(missing_ok=True)
    log.warning("%s: the prediction cache is damaged and was deleted. Check the disk.", path)


def open_predictions(folder: Path, fingerprint: str) -> Predictions:
    """The cache of a subject in a folder, or an empty one if it can't be opened."""
    path = folder / f"{fingerprint[:32]}.sqlite"
    try:
        try:
            return PredictionFile(path)
        except sqlite3.DatabaseError as error:
            if not _is_damage(error):
                raise
            _remove(path)
            return PredictionFile(path)
    except sqlite3.Error as error:
        log.warning("%s: no prediction cache for this run: %s", path, error)
        return NoPredictions()
