"""A journal with a damaged index fails its reader with a message, not with what follows from it."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from snellen.errors import UserError
from snellen.store.opened_journal import opened_journal
from tests.frozen_runs import recorded_run


def test_what_fails_on_a_damaged_file_is_said_to_be_damaged(tmp_path: Path) -> None:
    folder = recorded_run("first", tmp_path, tmp_path)
    with opened_journal(folder) as journal:  # migrated
        assert journal.get("subject") is not None
    with pytest.raises(TypeError, match="mine"), opened_journal(folder):
        raise TypeError("mine")
    with closing(sqlite3.connect(folder / "journal.sqlite")) as db:
        db.execute("PRAGMA writable_schema = ON")
        db.execute(
            "UPDATE sqlite_master SET rootpage = (SELECT rootpage FROM sqlite_master WHERE name = "
            "'sqlite_autoindex_cases_1') WHERE name = 'sqlite_autoindex_units_1'"
        )
        db.commit()
    with pytest.raises(UserError, match="is damaged"), opened_journal(folder):
        raise TypeError("what follows from it")
