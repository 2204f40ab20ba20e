"""Folders in memory: removed at the end, and by the next process after a kill."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from snellen.disk import memory_folder
from snellen.disk.memory_folder import LOCK, PREFIX, MemoryFolder, remove_abandoned

HOLDS = """
import sys
from pathlib import Path
from snellen.disk import memory_folder
memory_folder.MEMORY = Path(sys.argv[1])
held = memory_folder.MemoryFolder()
(held.path / "1.png").write_bytes(b"pixels")
print(held.path, flush=True)
sys.stdin.read()
"""


@pytest.fixture
def memory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(memory_folder, "MEMORY", tmp_path)
    return tmp_path


@contextmanager
def holder(memory: Path) -> Iterator[tuple[subprocess.Popen[str], Path]]:
    """A process that holds a folder, and the folder."""
    process = subprocess.Popen(
        [sys.executable, "-c", HOLDS, str(memory)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert process.stdout is not None
    try:
        yield process, Path(process.stdout.readline().strip())
    finally:
        process.kill()
        process.communicate()


def test_a_folder_is_removed_when_it_is_closed_or_forgotten(memory: Path) -> None:
    one, other = MemoryFolder(), MemoryFolder()
    assert one.path.is_dir()
    assert one.path != other.path
    one.close()
    one.close()
    assert not one.path.exists()
    del other
    assert list(memory.iterdir()) == []


def test_the_folder_of_a_killed_process_is_removed_by_the_next(memory: Path) -> None:
    with holder(memory) as (process, folder):
        assert remove_abandoned(memory) == []
        assert (folder / "1.png").exists()
        process.send_signal(signal.SIGKILL)
        process.wait()
        assert (folder / "1.png").exists()
        mine = MemoryFolder()
        assert [path.name for path in memory.iterdir()] == [mine.path.name]
        mine.close()


def test_the_folder_of_a_process_that_ends_is_removed_by_itself(memory: Path) -> None:
    with holder(memory) as (process, folder):
        process.communicate("")
        assert not folder.exists()


def test_what_others_made_is_left(memory: Path) -> None:
    kept = [memory / "snellen-x1", memory / f"{PREFIX}without-lock", memory / "other"]
    for path in kept:
        path.mkdir()
    (kept[0] / LOCK).touch()
    elsewhere = memory / "elsewhere"
    elsewhere.mkdir()
    (elsewhere / LOCK).touch()
    (memory / f"{PREFIX}link").symlink_to(elsewhere)
    assert remove_abandoned(memory) == []
    assert all(path.exists() for path in (*kept, elsewhere / LOCK))


@pytest.mark.skipif(not hasattr(os, "getuid"), reason="users have numbers on POSIX")
def test_the_folder_of_another_user_is_left(memory: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = memory / f"{PREFIX}1"
    path.mkdir()
    (path / LOCK).touch()
    other = os.getuid() + 1
    monkeypatch.setattr("os.getuid", lambda: other)
    assert remove_abandoned(memory) == []
    monkeypatch.undo()
    assert remove_abandoned(memory) == [path]


def test_a_folder_that_another_process_takes_for_abandoned_is_not_used(
    memory: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Between its making and its lock."""
    make = tempfile.mkdtemp
    made = []

    def and_taken(**options: Any) -> str:
        made.append(Path(make(**options)))
        if len(made) == 1:
            (made[0] / LOCK).touch()
            assert remove_abandoned(memory) == made
        return str(made[-1])

    monkeypatch.setattr(tempfile, "mkdtemp", and_taken)
    mine = MemoryFolder()
    assert mine.path == made[1]
    assert mine.path.is_dir()
    mine.close()
