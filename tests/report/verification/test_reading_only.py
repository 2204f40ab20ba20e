"""Commands that read a run change nothing in it, and say what is true of a journal they can't read.

Also as a user who may not write to its folder, as on read-only media.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import sqlite3
import subprocess
import sys
import tempfile
import traceback
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from functools import partial
from importlib import import_module
from pathlib import Path
from pkgutil import walk_packages

import pytest
from typer.testing import CliRunner

import snellen as sn
import snellen.report
from snellen.cli.main import app
from snellen.errors import SnellenError
from snellen.store.findings import findings
from snellen.store.journal import journal_of
from tests.finished_runs import Copied

NOBODY = 65534
Command = Callable[[Path], list[str]]
COMMANDS: dict[str, Command] = {
    "report --check": lambda run: ["report", str(run), "--check"],
    "compare": lambda run: ["compare", str(run), str(run)],
    "gate": lambda run: ["gate", str(run), "--at-most", "0.9"],
    "gate --against": lambda run: ["gate", str(run), "--against", str(run)],
    "export": lambda run: ["export", str(run), "--to", "csv", "--out", str(run.parent / "tables")],
    "verify": lambda run: ["verify", str(run)],
    "explain": lambda run: ["explain", str(run), finding(run)],
}


def finding(run: Path) -> str:
    """The id of a finding that is not explained; any word where the journal can't be read."""
    try:
        with closing(journal_of(run)) as journal:
            return findings(journal)[0].id
    except SnellenError:
        return "any"


@pytest.fixture
def run(reported: Copied, runs: Copied, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A copy of a reported run, in a place that every user can reach, with its cache."""
    with tempfile.TemporaryDirectory() as place:
        folder, cache = Path(place, "insertion"), Path(place, "cache")
        shutil.copytree(reported("insertion"), folder)
        shutil.copytree(runs("insertion").parent / "cache", cache)
        for path in (Path(place), cache, *cache.rglob("*")):
            path.chmod(0o777)
        monkeypatch.setenv("SNELLEN_CACHE", str(cache))
        yield folder


def content(run: Path) -> dict[str, tuple[int, str]]:
    """Each file and folder of a run with the time of its last change and its digest."""
    return {
        str(path): (
            path.stat().st_mtime_ns,
            hashlib.sha256(path.read_bytes()).hexdigest() if path.is_file() else "",
        )
        for path in [run, *run.rglob("*")]
    }


def outcome(arguments: list[str]) -> tuple[int, str]:
    """Exit code and output of a command; a traceback is part of the output."""
    result = CliRunner().invoke(app, arguments)
    error = result.exception
    if isinstance(error, SnellenError):
        return error.exit_code, str(error)
    if error is not None and not isinstance(error, SystemExit):
        return -1, "".join(traceback.format_exception(error))
    return result.exit_code, result.output


@contextmanager
def without_permission(folder: Path) -> Iterator[None]:
    """No file in the folder may be written, for any user but root."""
    paths = [folder, *folder.rglob("*")]
    for path in paths:
        path.chmod(0o555 if path.is_dir() else 0o444)
    try:
        yield
    finally:
        for path in paths:
            path.chmod(0o755 if path.is_dir() else 0o644)


def as_reader(arguments: list[str]) -> tuple[int, str]:
    """The outcome of a command of a user without special rights, in a process of its own."""
    if os.geteuid() != 0:
        return outcome(arguments)
    for module in walk_packages(snellen.report.__path__, "snellen.report."):
        import_module(module.name)  # Python itself may be out of such a user's reach
    reading, writing = os.pipe()
    pid = os.fork()
    if pid == 0:
        os.setgroups([])
        os.setgid(NOBODY)
        os.setuid(NOBODY)
        code, said = outcome(arguments)
        os.write(writing, f"{code}\n{said}"[-60000:].encode())
        os._exit(0)
    os.close(writing)
    with os.fdopen(reading, "rb") as pipe:
        number, _, text = pipe.read().decode().partition("\n")
    os.waitpid(pid, 0)
    return int(number), text


def crashed(run: Path) -> None:
    """Leave the log and its index behind, as a killed process does."""
    program = (
        "import os, sys, sqlite3; db = sqlite3.connect(sys.argv[1]);"
        "db.execute('PRAGMA journal_mode = WAL'); db.execute('UPDATE run SET value = value');"
        "db.commit(); os._exit(0)"
    )
    subprocess.run([sys.executable, "-c", program, str(run / "journal.sqlite")], check=True)
    assert {"journal.sqlite-wal", "journal.sqlite-shm"} <= {path.name for path in run.iterdir()}


def crashed_and_copied(run: Path) -> None:
    """The same without the index, which need not be copied."""
    crashed(run)
    (run / "journal.sqlite-shm").unlink()


WHOLE: dict[str, Callable[[Path], object]] = {
    "closed": lambda run: None,
    "of a killed run": crashed,
    "of a killed run, without its index": crashed_and_copied,
}


@pytest.mark.parametrize("state", ["of a killed run"])
def test_a_run_is_read_without_permission_to_write(run: Path, state: str) -> None:
    WHOLE[state](run)
    before = content(run)
    with without_permission(run):
        found = {name: as_reader(command(run)) for name, command in COMMANDS.items()}
        summary = sn.open_run(run).summary
    assert {name: code for name, (code, _) in found.items()} == CODES, found
    assert "gate: no verdict" in found["gate"][1]
    assert "asked now" in found["explain"][1]
    assert summary.failing_cases > 0
    assert content(run) == before


CODES = dict.fromkeys(COMMANDS, 0) | {"gate": 3}
"""Exit codes; that of the gate, whose limit is close, is `no verdict`."""
WRITING = ("gate", "gate --against", "explain")
"""Commands that write files, by design, where they may."""


@pytest.mark.parametrize("state", WHOLE)
def test_reading_leaves_no_trace(run: Path, state: str) -> None:
    WHOLE[state](run)
    before = content(run)
    for name, command in COMMANDS.items():
        if name not in WRITING:
            code, said = outcome(command(run))
            assert code == 0, (name, said)
            assert content(run) == before, name
    assert sn.open_run(run).summary.failing_cases > 0
    assert content(run) == before


def damaged(change: Callable[[bytes], bytes]) -> Callable[[Path], None]:
    """A change of the bytes of a journal."""

    def damage(run: Path) -> None:
        path = run / "journal.sqlite"
        path.write_bytes(change(path.read_bytes()))

    return damage


def foreign(run: Path) -> None:
    """Put the database of another program in place of the journal."""
    (run / "journal.sqlite").unlink()
    with closing(sqlite3.connect(run / "journal.sqlite")) as db:
        db.execute("CREATE TABLE birds (name TEXT)")
        db.commit()


def bare(run: Path) -> None:
    """Only what a journal's file has before its log is merged for the first time."""
    (run / "journal.sqlite").unlink()
    with closing(sqlite3.connect(run / "journal.sqlite")) as db:
        db.execute("PRAGMA journal_mode = WAL")


BROKEN: dict[str, tuple[Callable[[Path], object], str]] = {
    "empty": (damaged(lambda data: b""), "is empty: the run was stopped before"),
    "text": (damaged(lambda data: b"no database " * 400), "is not an SQLite file"),
    "truncated": (damaged(lambda data: data[: len(data) // 2]), "is damaged or truncated"),
    "cut in its first page": (damaged(lambda data: data[:700]), "is damaged or truncated"),
    "foreign": (foreign, "not the journal of a run; its tables: birds"),
    "without its log": (bare, "was copied without its journal.sqlite-wal"),
    "missing": (lambda run: (run / "journal.sqlite").unlink(), "it has no journal.sqlite"),
}


@pytest.mark.parametrize("name", BROKEN)
def test_a_journal_that_cannot_be_read_is_described(run: Path, name: str) -> None:
    damage, expected = BROKEN[name]
    damage(run)
    before = content(run)
    for command in COMMANDS.values():
        code, said = outcome(command(run))
        assert expected in said, command(run)
        assert code in (1, 2), command(run)
        assert content(run) == before, command(run)
    with pytest.raises(SnellenError, match=r"journal\.sqlite"):
        sn.open_run(run).findings  # noqa: B018
    assert content(run) == before


@contextmanager
def another_process(run: Path, statements: str) -> Iterator[None]:
    """A process that holds the journal open after some statements, until the block ends."""
    program = (
        "import sys, sqlite3; db = sqlite3.connect(sys.argv[1], isolation_level=None);"
        "[db.execute(one) for one in sys.argv[2].split(';')]; print('ready', flush=True);"
        "sys.stdin.read()"
    )
    command = [sys.executable, "-c", program, str(run / "journal.sqlite"), statements]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == b"ready\n"
        yield
        process.communicate()


def test_a_journal_that_is_being_written_is_read(run: Path) -> None:
    busy = "PRAGMA journal_mode = WAL;BEGIN IMMEDIATE;UPDATE run SET value = value"
    with another_process(run, busy):
        before = content(run)
        assert outcome(["verify", str(run)])[0] == 0
        assert content(run) == before


def test_a_journal_that_is_locked_is_said_to_be(run: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sqlite3, "connect", partial(sqlite3.connect, timeout=0.1))
    crashed(run)
    alone = "PRAGMA locking_mode = EXCLUSIVE;PRAGMA journal_mode = WAL;UPDATE run SET value = value"
    with another_process(run, alone):
        before = content(run)
        for command in COMMANDS.values():
            code, said = outcome(command(run))
            assert (code, "is locked by another process" in said) == (2, True), said
            assert content(run) == before
