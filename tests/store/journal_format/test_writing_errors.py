"""A journal that can't be written ends with a sentence that is true for its case."""

from __future__ import annotations

import os
import signal
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from snellen.disk.storage_error import StorageError
from snellen.errors import SnellenError
from snellen.store.journal import Journal, UnitEnd
from tests.store.test_journal import CLASSES, verdict

END = UnitEnd(1, "u1", "s", 1, verdict())


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A journal with one unit."""
    with closing(Journal(tmp_path / "journal.sqlite")) as journal:
        journal.write(UnitEnd(0, "u0", "s", 1, verdict()), CLASSES)
    return tmp_path / "journal.sqlite"


def test_another_process_that_holds_it_is_named(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with closing(Journal(path)) as journal, closing(sqlite3.connect(path)) as other:
        journal.rows("PRAGMA busy_timeout = 50")
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(StorageError, match="is locked by another process"):
            journal.write(END, CLASSES)
        other.rollback()
        journal.write(END, CLASSES)
        assert journal.ended() == {0, 1}


DAMAGE: dict[str, tuple[Callable[[bytes], bytes], str]] = {
    "text": (lambda data: b"no database " * 400, "is not an SQLite file"),
    "cut": (lambda data: data[:9000], "is damaged or truncated"),
}


@pytest.mark.parametrize("name", DAMAGE)
def test_damage_is_not_taken_for_a_full_disk(path: Path, name: str) -> None:
    change, expected = DAMAGE[name]
    path.write_bytes(change(path.read_bytes()))
    with pytest.raises(SnellenError, match=expected), closing(Journal(path)) as journal:
        journal.damaged()


def test_a_limit_on_the_size_of_files_is_said_to_be_the_disk(path: Path) -> None:
    """A limit of the system that a write runs into: SQLite calls it a full disk or an I/O error."""
    resource = pytest.importorskip("resource")
    pid = os.fork()
    if pid == 0:
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        with closing(Journal(path)) as journal:
            resource.setrlimit(resource.RLIMIT_FSIZE, (path.stat().st_size // 2,) * 2)
            try:
                for number in range(1, 50):
                    journal.write(UnitEnd(number, f"u{number}", "s", 1, verdict()), CLASSES)
            except StorageError as error:
                os._exit(0 if "space, then continue with --resume" in str(error) else 2)
        os._exit(1)
    assert os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) == 0
    with closing(Journal(path)) as journal:
        assert journal.damaged() == []
