"""A run that is cut short loses nothing that was finished, and goes on where it was."""

from __future__ import annotations

import json
import os
import random
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import pytest

from snellen.store.journal import Journal
from tests.cli.conftest import Snellen
from tests.processes import Started

Config = Callable[..., Path]
SLOW = {"kind": "planted", "fault": "flickers", "sleep_ms": 15, "batch": 4}
MANY = {"kind": "synthetic", "count": 150, "size": [96, 96], "objects": [1, 2], "sides": [20, 30]}


def started(tmp_path: Path, environment: dict[str, str], *arguments: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-m", "snellen", "run", "snellen.yaml", *arguments],
        cwd=tmp_path,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def ended_units(folder: Path) -> int:
    # To connect to a file that is not there yet would make it, and the run would refuse to start.
    if not (folder / "journal.sqlite").exists():
        return 0
    try:
        with closing(sqlite3.connect(folder / "journal.sqlite")) as db:
            return int(db.execute("SELECT count(*) FROM units").fetchone()[0])
    except sqlite3.OperationalError:
        return 0


def facts(folder: Path) -> dict[str, Any]:
    summary: dict[str, Any] = json.loads((folder / "summary.json").read_text())
    return {key: value for key, value in summary.items() if key not in ("seconds", "cache_hits")}


def digest(folder: Path) -> str:
    with closing(Journal(folder / "journal.sqlite")) as journal:
        return journal.digest()


@pytest.mark.slow
def test_ten_kills_leave_the_same_rows_and_summary_as_an_unbroken_run(
    tmp_path: Path,
    config: Config,
    snellen: Snellen,
    fresh_snellen: Snellen,
    environment: dict[str, str],
) -> None:
    config(subject=SLOW, scenes=MANY, engine={"workers": 1, "batch": 4})
    moment = random.Random(7)
    folder, kills = tmp_path / "run", 0
    while kills < 10:
        resume = ["--resume"] if (folder / "journal.sqlite").exists() else []
        # Cases are built in the process that is killed, and in one of its own, by turns.
        how = ["--set", f"engine.workers={kills % 2}"]
        process = Started(["snellen", "run", "snellen.yaml", *how, *resume], tmp_path, environment)
        before = ended_units(folder)
        limit = time.monotonic() + 30
        # Let it work a moment, so that kills fall on opening, building, asking and writing.
        while ended_units(folder) <= before and process.poll() is None:
            assert time.monotonic() < limit, "the run makes no headway"
            time.sleep(0.01)
        time.sleep(moment.uniform(0, 0.15))
        assert process.poll() is None, "the run ended before ten kills; make it longer"
        process.send_signal(signal.SIGKILL)
        process.communicate()
        kills += 1
    between = ended_units(folder)
    assert 10 <= between < 150
    done = snellen("run", "snellen.yaml", "--resume")
    assert done.returncode == 0, done.stderr

    cold = ("--set", "engine.cache=false")
    unbroken = fresh_snellen("run", "snellen.yaml", "--out", "unbroken", *cold)
    assert unbroken.returncode == 0, unbroken.stderr
    assert digest(folder) == digest(tmp_path / "unbroken")
    assert facts(folder) == facts(tmp_path / "unbroken")


def test_no_builder_outlives_a_killed_run(
    tmp_path: Path, config: Config, environment: dict[str, str]
) -> None:
    config(subject=SLOW, scenes=MANY, engine={"workers": 2})
    process = started(tmp_path, environment)
    while ended_units(tmp_path / "run") == 0:
        time.sleep(0.05)
    children = [
        int(pid)
        for pid in Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text().split()
    ]
    assert children
    process.kill()
    process.communicate()
    limit = time.monotonic() + 10
    while any(_alive(pid) for pid in children):
        assert time.monotonic() < limit, "builders are left behind"
        time.sleep(0.05)


def _alive(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except (FileNotFoundError, ProcessLookupError):
        return False


def test_ctrl_c_ends_with_130_and_says_how_to_resume(
    tmp_path: Path, config: Config, snellen: Snellen, environment: dict[str, str]
) -> None:
    config(subject=SLOW, scenes=MANY, engine={"workers": 1})
    process = started(tmp_path, environment, "--set", "seed=9")
    while ended_units(tmp_path / "run") == 0:
        time.sleep(0.05)
    process.send_signal(signal.SIGINT)
    _, errors = process.communicate(timeout=30)
    assert process.returncode == 130
    assert "Resume: snellen run snellen.yaml --set seed=9 --resume" in errors
    assert "Traceback" not in errors
    before = ended_units(tmp_path / "run")
    assert before > 0
    again = snellen("run", "snellen.yaml", "--set", "seed=9", "--resume")
    assert again.returncode == 0, again.stderr
    assert ended_units(tmp_path / "run") == 150


def test_two_runs_into_one_folder_are_refused(
    tmp_path: Path, config: Config, snellen: Snellen, environment: dict[str, str]
) -> None:
    config(subject=SLOW, scenes=MANY)
    process = Started(["snellen", "run", "snellen.yaml"], tmp_path, environment)
    while ended_units(tmp_path / "run") == 0:
        time.sleep(0.05)
    second = snellen("run", "snellen.yaml", "--resume")
    process.kill()
    process.communicate()
    assert second.returncode == 2
    assert "another run is using this folder" in second.stderr


def test_a_finished_run_is_not_written_over(config: Config, snellen: Snellen) -> None:
    config()
    assert snellen("run", "snellen.yaml").returncode == 0
    again = snellen("run", "snellen.yaml")
    assert again.returncode == 2
    assert "Pass --resume" in again.stderr


@pytest.mark.parametrize(
    ("change", "what"),
    [
        ("seed=99", "configuration"),
        ("subject.fault=loses", "configuration"),
    ],
)
def test_going_on_with_another_configuration_is_refused(
    config: Config, snellen: Snellen, change: str, what: str
) -> None:
    config()
    snellen("run", "snellen.yaml")
    other = snellen("run", "snellen.yaml", "--resume", "--set", change)
    assert other.returncode == 2
    assert f"the {what} differs" in other.stderr
    same = snellen("run", "snellen.yaml", "--resume", "--set", "engine.batch=2")
    assert same.returncode == 0, "how a run is carried out may change"


@contextmanager
def mounted(folder: Path, *options: str) -> Iterator[Path]:
    """A small file system of its own, where the system lets us have one."""
    folder.mkdir()
    command = ["mount", "-t", "tmpfs", "-o", ",".join(options), "tmpfs", str(folder)]
    if os.geteuid() != 0 or subprocess.run(command, check=False).returncode != 0:
        pytest.skip("needs the right to mount a small file system")
    try:
        yield folder
    finally:
        subprocess.run(["umount", "-l", str(folder)], check=True)


def test_a_full_disk_is_reported_and_the_journal_stays_sound(
    tmp_path: Path, config: Config, snellen: Snellen
) -> None:
    config(scenes={**MANY, "count": 400, "objects": [4, 4], "size": [160, 160]})
    with mounted(tmp_path / "small", "size=400k") as small:
        full = snellen("run", "snellen.yaml", "--out", small / "run")
        assert full.returncode == 3, full.stderr
        assert "disk is full" in full.stderr
        assert "--resume" in full.stderr
        assert "Traceback" not in full.stderr
        finished = ended_units(small / "run")
        assert 0 < finished < 400
        subprocess.run(["mount", "-o", "remount,size=8m", str(small)], check=True)
        again = snellen("run", "snellen.yaml", "--out", small / "run", "--resume")
        assert again.returncode == 0, again.stderr
        with closing(sqlite3.connect(small / "run" / "journal.sqlite")) as db:
            assert db.execute("PRAGMA integrity_check").fetchone() == ("ok",)
            assert db.execute("SELECT count(*) FROM cases").fetchone() == (400,)


def test_a_read_only_folder_is_reported(tmp_path: Path, config: Config, snellen: Snellen) -> None:
    config()
    with mounted(tmp_path / "locked", "size=64k", "ro") as locked:
        refused = snellen("run", "snellen.yaml", "--out", locked / "run")
        assert refused.returncode == 2
        assert "read-only" in refused.stderr
        assert "Traceback" not in refused.stderr


def test_a_file_in_the_way_of_the_folder_is_reported(
    tmp_path: Path, config: Config, snellen: Snellen
) -> None:
    config()
    (tmp_path / "run").write_text("not a folder")
    refused = snellen("run", "snellen.yaml")
    assert refused.returncode == 2
    assert "a file of that name exists" in refused.stderr
