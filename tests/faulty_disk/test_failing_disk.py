"""A disk that fails at any operation of a run ends it with a sentence; --resume gives its rows."""

from __future__ import annotations

import errno
from collections.abc import Iterable
from contextlib import closing
from typing import Any

import pytest
import yaml

from snellen.store.journal import journal_of
from tests.faulty_disk.conftest import FaultyDisk
from tests.faulty_disk.power_cut import Operation, operations
from tests.faulty_disk.small_run import RUN

ONCE, FROM_THEN_ON, HALF_WRITTEN = 0, 1, 2
SENTENCES = ("cannot be written", "cannot be used as a run folder")


def changes(log: bytes) -> list[Operation]:
    """The operations of a log that count."""
    return [one for one in operations(log) if one.name != "open"]


def problems(
    disk: FaultyDisk, places: Iterable[int], rows: str, error: int, how: int
) -> dict[int, dict[str, Any]]:
    """The places at which an error ends in a traceback, other rows or a run that can't resume."""
    found = {}
    for at in places:
        disk.empty()
        ended = disk.do("run", at=at, error=error, how=how)
        resumed = disk.do("run", resume=True)
        said = ended.get("refused", "")
        well = ended.get("result") == rows or any(one in said for one in SENTENCES)
        if not well or resumed.get("result") != rows:
            found[at] = {"ended": ended, "resumed": resumed}
    return found


@pytest.fixture(scope="module")
def unbroken(faulty_disk: FaultyDisk) -> tuple[str, list[Operation]]:
    """The rows of a run on a sound disk, and what it does to the disk."""
    log = faulty_disk.logged("run")
    return faulty_disk.do("run", resume=True)["result"], changes(log)


def test_the_log_has_every_kind_of_operation(unbroken: tuple[str, list[Operation]]) -> None:
    _, done = unbroken
    kinds = {one.name for one in done}
    assert kinds == {"mkdir", "create", "write", "truncate", "sync", "rename", "unlink"}
    assert len(done) > 150


def test_the_disk_is_full_from_the_nth_operation_on(
    faulty_disk: FaultyDisk, unbroken: tuple[str, list[Operation]]
) -> None:
    rows, done = unbroken
    every = range(1, len(done) + 1)
    assert problems(faulty_disk, every, rows, errno.ENOSPC, HALF_WRITTEN) == {}


def test_the_nth_sync_rename_or_creation_fails(
    faulty_disk: FaultyDisk, unbroken: tuple[str, list[Operation]]
) -> None:
    """The writes, which are many and alike, are among those of the thorough form."""
    rows, done = unbroken
    chosen = [at for at, one in enumerate(done, start=1) if one.name != "write"]
    assert problems(faulty_disk, chosen, rows, errno.EIO, ONCE) == {}


@pytest.mark.thorough
@pytest.mark.timeout(1800)
@pytest.mark.parametrize("how", [ONCE, FROM_THEN_ON], ids=["once", "from then on"])
@pytest.mark.parametrize("error", [errno.EIO, errno.ENOSPC, errno.EROFS], ids=errno.errorcode.get)
def test_the_nth_operation_fails_in_every_way(
    faulty_disk: FaultyDisk, unbroken: tuple[str, list[Operation]], error: int, how: int
) -> None:
    rows, done = unbroken
    assert problems(faulty_disk, range(1, len(done) + 1), rows, error, how) == {}


COMMAND = {
    "method": "insertion",
    "seed": 3,
    "subject": {"kind": "planted", "fault": "loses", "distance": 12},
    "scenes": {"kind": "synthetic", "count": 2, "seed": 5, "size": [144, 192]},
    "objects": {"kind": "synthetic", "count": 4, "seed": 9, "shade": "deep"},
    "insertion": {"per_object": 1, "relocate": False, "controls": 0.0},
    "engine": {"workers": 0, "batch": 4},
    "out": "disk/run",
}


@pytest.mark.thorough
@pytest.mark.timeout(3600)
@pytest.mark.parametrize(
    ("error", "how"), [(errno.ENOSPC, HALF_WRITTEN), (errno.EIO, ONCE)], ids=["full", "once"]
)
def test_the_command_with_its_report_on_a_failing_disk(
    faulty_disk: FaultyDisk, error: int, how: int
) -> None:
    """Every seventh operation: a run with findings, their pictures, the page and the summary."""
    config = faulty_disk.place / "insertion.yaml"
    config.write_text(yaml.safe_dump(COMMAND))
    run = ["run", str(config)]
    count = len(changes(faulty_disk.logged("command", command=run)))
    rows = digest(faulty_disk)
    problems = {}
    for at in range(1, count + 1, 7):
        faulty_disk.empty()
        ended = faulty_disk.do("command", command=run, at=at, error=error, how=how)
        resumed = faulty_disk.do("command", command=[*run, "--resume"])
        if "found no run to continue" in resumed.get("refused", ""):
            resumed = faulty_disk.do("command", command=run)
        verified = faulty_disk.do("command", command=["verify", RUN])
        well = "crash" not in ended and resumed.get("result") == verified.get("result") == "0"
        if not well or digest(faulty_disk) != rows:
            problems[at] = (ended, resumed, verified)
    assert problems == {}


def digest(disk: FaultyDisk) -> str:
    """The rows of the run on the disk."""
    with closing(journal_of(disk.place / RUN)) as journal:
        return journal.digest()
