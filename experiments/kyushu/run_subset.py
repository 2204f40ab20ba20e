"""Part of a run as a run folder of its own: the published second test is put to what failed."""

from __future__ import annotations

import json
import shutil
import sqlite3
from collections.abc import Callable, Iterable, Mapping
from contextlib import closing
from pathlib import Path
from typing import Any

from snellen.disk.atomic_file import new_folder
from snellen.store.run_folder import CONFIG, JOURNAL

UNITS = "SELECT number, notes FROM units WHERE status = 'done'"
Instance = Mapping[str, Any]
"""The notes of a run on one base instance."""


def failed(one: Instance) -> bool:
    """Whether any test of it failed."""
    return bool(one["failing"])


def clusterable(one: Instance) -> bool:
    """Whether it failed, mostly in one place."""
    return failed(one) and bool(one["clusters"]["clusterable"])


def scattered(one: Instance) -> bool:
    """Whether it failed, here and there."""
    return failed(one) and not one["clusters"]["clusterable"]


def chosen_instances(
    units: Iterable[tuple[int, str]], chosen: Callable[[Instance], bool]
) -> set[tuple[int, int]]:
    """Unit and place of some instances. units: numbers and notes of a journal's."""
    return {
        (unit, int(one["base"]))
        for unit, notes in units
        for one in json.loads(notes).get("instances") or ()
        if chosen(one)
    }


def part_of_run(run: Path, chosen: Callable[[Instance], bool], out: Path) -> Path:
    """The run folder `out` with the tests of some instances of a finished run alone, no controls.

    Rows are those of the run, so that a replay of the part is a replay of these tests.
    """
    if out.exists():
        return out
    with new_folder(out) as draft:
        shutil.copyfile(run / CONFIG, draft / CONFIG)
        source, copy = (sqlite3.connect(one / JOURNAL) for one in (run, draft))
        with closing(source), closing(copy):
            source.backup(copy)
            _drop_others(copy, chosen)
    return out


def _drop_others(journal: sqlite3.Connection, chosen: Callable[[Instance], bool]) -> None:
    kept = chosen_instances(journal.execute(UNITS), chosen)
    cases = journal.execute("SELECT unit, number, role, measurements FROM cases").fetchall()
    gone = [
        (unit, number)
        for unit, number, role, told in cases
        if role != "test" or (unit, int(json.loads(told)["base"])) not in kept
    ]
    with journal:
        journal.executemany('DELETE FROM events WHERE unit = ? AND "case" = ?', gone)
        journal.executemany("DELETE FROM cases WHERE unit = ? AND number = ?", gone)
