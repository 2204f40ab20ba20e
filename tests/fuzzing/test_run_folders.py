"""Damaged run folders: the journal, the configuration, the summary and the findings."""

from __future__ import annotations

import os
import sqlite3
import tempfile
from collections.abc import Mapping
from contextlib import closing
from functools import cache
from pathlib import Path

from snellen.engine.campaign import campaign_from
from snellen.engine.run import run_campaign
from snellen.report.report import write_report
from snellen.report.verification.run_verification import verify_run
from snellen.session.run_source import RunSource
from tests.finished_runs import CAMPAIGNS
from tests.fuzzing.driver import Files, ReaderTests, Target, main
from tests.fuzzing.mutations import JSON, SQLITE, TEXT

JOURNAL = "journal.sqlite"


@cache
def made() -> dict[str, bytes]:
    """The files of a finished run."""
    with tempfile.TemporaryDirectory() as folder:
        os.environ["SNELLEN_CACHE"] = f"{folder}/cache"
        values = {
            **CAMPAIGNS["identity"],
            "seed": 3,
            "scenes": {
                "kind": "synthetic",
                "count": 3,
                "seed": 5,
                "size": [72, 96],
                "sides": [20, 30],
                "objects": [1, 2],
            },
            "engine": {"workers": 0, "cache": False},
            "out": "run",
        }
        run_campaign(campaign_from(values, Path(folder) / "snellen.yaml"))
        place = Path(folder) / "run"
        write_report(place)
        return {
            path.relative_to(place).as_posix(): path.read_bytes()
            for path in sorted(place.rglob("*"))
            if path.is_file() and path.suffix not in (".html", ".png")
        }


def read(folder: Path) -> None:
    source = RunSource(folder)
    assert source.summary
    for finding in source.findings:
        source.predictions(finding)
    assert source.faults is not None
    verify_run(folder)


def target() -> Target:
    """The reader and a valid run folder."""
    damaged = {JOURNAL: SQLITE, "config.yaml": TEXT, "summary.json": JSON, finding(): JSON}
    return Target("run folders", made(), damaged, read, quick=30)


def finding() -> str:
    """The recipe of a finding."""
    return next(name for name in made() if name.endswith("recipe.json"))


def journal(statement: str, *values: object) -> Files:
    """The journal after a statement."""
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder) / JOURNAL
        place.write_bytes(made()[JOURNAL])
        with closing(sqlite3.connect(place)) as db:
            db.execute("PRAGMA journal_mode = DELETE")
            db.execute(statement, values)
            db.commit()
        return {JOURNAL: place.read_bytes()}


def an_index_of_another_table() -> Files:
    """A journal whose facts are there, but are not found by their key."""
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder) / JOURNAL
        place.write_bytes(made()[JOURNAL])
        with closing(sqlite3.connect(place)) as db:
            db.execute("PRAGMA journal_mode = DELETE")
            db.execute("PRAGMA writable_schema = ON")
            db.execute(
                "UPDATE sqlite_master SET rootpage = (SELECT rootpage FROM sqlite_master WHERE "
                "name = 'sqlite_autoindex_units_1') WHERE name = 'sqlite_autoindex_run_1'"
            )
            db.commit()
        return {JOURNAL: place.read_bytes()}


def rows_of_no_unit() -> Files:
    """The journal with cases whose unit is NULL, in a table that does not forbid it."""
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder) / JOURNAL
        place.write_bytes(made()[JOURNAL])
        with closing(sqlite3.connect(place)) as db:
            db.executescript(
                "PRAGMA journal_mode = DELETE; PRAGMA legacy_alter_table = ON; "
                "PRAGMA foreign_keys = OFF; "
                "CREATE TABLE copy AS SELECT * FROM cases; DROP TABLE cases; "
                "ALTER TABLE copy RENAME TO cases; "
                "UPDATE cases SET unit = NULL WHERE number = 0"
            )
        return {JOURNAL: place.read_bytes()}


def configuration(old: bytes, new: bytes) -> Files:
    return {"config.yaml": made()["config.yaml"].replace(old, new, 1)}


def past() -> Mapping[str, Files]:
    """Files that are damaged in known ways."""
    return {
        "an empty journal": {JOURNAL: b""},
        "a journal that is text": {JOURNAL: b"not a journal" * 100},
        "half a journal": {JOURNAL: made()[JOURNAL][: len(made()[JOURNAL]) // 2]},
        "a journal without rows": journal("DELETE FROM run"),
        "a journal without units": journal("DELETE FROM units"),
        "rows of no unit": rows_of_no_unit(),
        "an index of another table": an_index_of_another_table(),
        "a journal without a table": journal("DROP TABLE events"),
        "a schema of 5,000 digits": journal(
            "UPDATE run SET value = ? WHERE key = 'schema'", "9" * 5000
        ),
        "a schema in deep lists": journal(
            "UPDATE run SET value = ? WHERE key = 'schema'", "[" * 100_000
        ),
        "facts that are no JSON": journal("UPDATE run SET value = 'x' WHERE key = 'subject'"),
        "facts of another type": journal("UPDATE run SET value = '5' WHERE key = 'subject'"),
        "facts of no known method": journal("UPDATE run SET value = '\"x\"' WHERE key = 'method'"),
        "recipes that are no JSON": journal("UPDATE cases SET recipe = 'x'"),
        "recipes in deep lists": journal("UPDATE cases SET recipe = ?", "[" * 100_000),
        "recipes that are a list": journal("UPDATE cases SET recipe = '[]'"),
        "measurements that are no JSON": journal("UPDATE cases SET measurements = 'x'"),
        "predictions that are no JSON": journal("UPDATE predictions SET value = 'x'"),
        "scenes that are no text": journal("UPDATE units SET scene = CAST(x'ff' AS TEXT)"),
        "a summary in deep lists": {"summary.json": b"[" * 100_000},
        "a summary that is a list": {"summary.json": b"[]"},
        "a summary that is not text": {"summary.json": b"\xff"},
        "a recipe in deep lists": {finding(): b"[" * 100_000},
        "a recipe that is a list": {finding(): b"[]"},
        "a configuration in deep lists": {"config.yaml": b"[" * 100_000},
        "scenes without end": configuration(b"count: 3", b"count: 4294967296"),
        "scenes of millions of pixels": configuration(b"  - 96\n", b"  - 9655366\n"),
        "objects without end": configuration(b"  - 2\n", b"  - 65536\n"),
        "no configuration": {"config.yaml": b""},
    }  # fmt: skip


class TestRunFolders(ReaderTests):
    @property
    def target(self) -> Target:
        return target()

    @property
    def past(self) -> Mapping[str, Files]:
        return past()


if __name__ == "__main__":
    import sys

    main(target(), *map(int, sys.argv[1:]))
