"""A journal that can't be read gets a sentence that is true for its case; reading only reads."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from snellen.errors import UserError
from snellen.store.journal import Journal, UnitEnd, journal_of
from tests.store.test_journal import CLASSES, verdict


@pytest.fixture
def run(tmp_path: Path) -> Path:
    with closing(Journal(tmp_path / "journal.sqlite")) as journal:
        for number in range(40):
            journal.write(UnitEnd(number, f"u{number}", "s", 1, verdict()), CLASSES)
    return tmp_path


def foreign(path: Path) -> None:
    path.unlink()
    with closing(sqlite3.connect(path)) as db:
        db.execute("CREATE TABLE birds (name TEXT)")
        db.commit()


BROKEN: dict[str, tuple[Callable[[Path], object], str]] = {
    "empty": (lambda path: path.write_bytes(b""), "is empty"),
    "text": (lambda path: path.write_text("no database " * 400), "is not an SQLite file"),
    "truncated": (
        lambda path: path.write_bytes(path.read_bytes()[: path.stat().st_size // 2]),
        "is damaged or truncated",
    ),
    "another program's": (foreign, "not the journal of a run; its tables: birds"),
}


@pytest.mark.parametrize("name", BROKEN)
def test_a_broken_journal_is_described(run: Path, name: str) -> None:
    path = run / "journal.sqlite"
    damage, expected = BROKEN[name]
    damage(path)
    with pytest.raises(UserError, match=expected), closing(journal_of(run)) as journal:
        journal.damaged()


def test_a_journal_that_a_run_is_writing_is_read_as_far_as_it_is(run: Path) -> None:
    with closing(Journal(run / "journal.sqlite")) as writing:
        writing.write(UnitEnd(40, "u40", "s", 1, verdict()), CLASSES)
        with closing(journal_of(run)) as reading:
            assert len(reading.ended()) == 41


def killed(path: Path, statements: str = "") -> None:
    """Write a unit, or carry out SQL statements, in a process that is then killed."""
    pid = os.fork()
    if pid == 0:
        if statements:
            db = sqlite3.connect(path, isolation_level=None)
            for one in statements.split(";"):
                db.execute(one)
        else:
            Journal(path).write(UnitEnd(40, "u40", "s", 1, verdict()), CLASSES)
        os._exit(0)
    os.waitpid(pid, 0)


def killed_and_copied(path: Path) -> None:
    """The same, without the index of the log."""
    killed(path)
    path.with_name(f"{path.name}-shm").unlink()


UNDONE = (
    "PRAGMA journal_mode = DELETE;PRAGMA cache_size = 2;PRAGMA foreign_keys = OFF;BEGIN;"
    "DELETE FROM checksums;UPDATE cases SET recipe = recipe || recipe || recipe"
)
REMAINS: dict[str, tuple[Callable[[Path], object], int]] = {
    "log and index": (killed, 41),
    "log without its index": (killed_and_copied, 41),
    "index without its log": (
        lambda path: path.with_name(f"{path.name}-shm").write_bytes(bytes(32768)),
        40,
    ),
    "half of a change in the file itself": (lambda path: killed(path, UNDONE), 40),
}


@pytest.mark.parametrize("name", REMAINS)
def test_what_a_crash_leaves_is_read_and_left(run: Path, name: str) -> None:
    crash, units = REMAINS[name]
    crash(run / "journal.sqlite")
    before = {path.name: (path.stat().st_mtime_ns, path.read_bytes()) for path in run.iterdir()}
    assert len(before) > 1
    with closing(journal_of(run)) as journal:
        assert len(journal.ended()) == units
        assert journal.damaged() == []
        with pytest.raises(UserError):
            journal.rows("DELETE FROM units")
    after = {path.name: (path.stat().st_mtime_ns, path.read_bytes()) for path in run.iterdir()}
    assert after == before


def test_reading_creates_no_file(run: Path) -> None:
    before = {path.name: path.stat().st_mtime_ns for path in run.iterdir()}
    with closing(journal_of(run)) as journal:
        assert len(journal.ended()) == 40
        with pytest.raises(UserError):
            journal.rows("DELETE FROM units")
        assert {path.name: path.stat().st_mtime_ns for path in run.iterdir()} == before
    assert {path.name: path.stat().st_mtime_ns for path in run.iterdir()} == before
