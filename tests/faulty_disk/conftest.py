"""The process whose disk may fail, and a place for it."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.faulty_disk.images import write_images
from tests.faulty_disk.small_run import DISK, IMAGES, SHIM

SOURCE = Path(__file__).with_name("disk_shim.c")


class FaultyDisk:
    """Runs tasks of `small_run` on a disk that is empty at first."""

    def __init__(self, shim: Path, place: Path) -> None:
        self.place, self.root, self.log = place, place / DISK, place / "log"
        self._process = subprocess.Popen(
            [sys.executable, "-m", "tests.faulty_disk.small_run"],
            env={**os.environ, "LD_PRELOAD": str(shim), SHIM: str(shim)},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def empty(self) -> None:
        """Remove all that is on the disk."""
        shutil.rmtree(self.root, ignore_errors=True)
        self.root.mkdir()

    def do(self, what: str, **task: Any) -> dict[str, Any]:
        """The outcome of a task: `result`, `refused` or `crash`, and the `count` of operations."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(
            json.dumps({"what": what, "place": str(self.place), **task}) + "\n"
        )
        self._process.stdin.flush()
        found: dict[str, Any] = json.loads(self._process.stdout.readline())
        return found

    def logged(self, what: str, **task: Any) -> bytes:
        """The log of a task on an empty disk, which must succeed."""
        self.empty()
        found = self.do(what, log=str(self.log), **task)
        assert "result" in found, found
        return self.log.read_bytes()

    def close(self) -> None:
        """End the process."""
        self._process.communicate()


@pytest.fixture(scope="session")
def faulty_disk(tmp_path_factory: pytest.TempPathFactory) -> Iterator[FaultyDisk]:
    """A disk that fails when it is asked to; skips where that cannot be arranged."""
    if not sys.platform.startswith("linux"):
        pytest.skip("the shim below the C library is written for Linux")
    compiler = shutil.which("cc")
    if compiler is None:
        pytest.skip("no C compiler `cc` to build the shim below the C library with")
    place = tmp_path_factory.mktemp("faulty")
    shim = place / "disk_shim.so"
    subprocess.run(
        [compiler, "-shared", "-fPIC", "-O1", "-o", str(shim), str(SOURCE), "-ldl"], check=True
    )
    write_images(place / IMAGES)
    disk = FaultyDisk(shim, place)
    yield disk
    disk.close()
