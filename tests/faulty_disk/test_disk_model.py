"""The model of a power cut loses what was not synced, and nothing else."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.faulty_disk.power_cut import Disk, State, Survival, operations

ROOT = Path("/disk")
RENAMED = b"""create /disk/draft
open 3 /disk/draft
write 3 0 4
abcd
rename /disk/draft\t/disk/file
"""
FOLDER = b"open 4 /disk\nsync 4\n"
FILE = b"sync 3\n"


def after(log: bytes, survival: Survival) -> State:
    disk = Disk(ROOT)
    for one in operations(log):
        disk.do(one)
    return disk.after_power_cut(survival)


def synced_before_the_rename() -> bytes:
    head, rename = RENAMED[: RENAMED.index(b"rename")], RENAMED[RENAMED.index(b"rename") :]
    return head + FILE + rename


CASES: dict[str, tuple[bytes, Survival, State]] = {
    "a name that was not synced": (RENAMED, Survival.NOTHING, {}),
    "a renamed file whose data was not synced": (RENAMED, Survival.NAMES, {"file": b""}),
    "the same, and the folder was": (RENAMED + FOLDER, Survival.NOTHING, {"file": b""}),
    "synced, then renamed": (synced_before_the_rename(), Survival.NAMES, {"file": b"abcd"}),
    "and its folder": (synced_before_the_rename() + FOLDER, Survival.NOTHING, {"file": b"abcd"}),
    "a killed process loses nothing": (RENAMED, Survival.EVERYTHING, {"file": b"abcd"}),
    "an unlinked file is back": (
        synced_before_the_rename() + FOLDER + b"unlink /disk/file\n",
        Survival.NOTHING,
        {"file": b"abcd"},
    ),
    "a folder that its own was not synced for": (b"mkdir /disk/a\n", Survival.NOTHING, {}),
    "and one that was": (b"mkdir /disk/a\n" + FOLDER, Survival.NOTHING, {"a": None}),
}


@pytest.mark.parametrize("name", CASES)
def test_what_survives(name: str) -> None:
    log, survival, expected = CASES[name]
    assert after(log, survival) == expected


def test_sectors_of_a_torn_write_are_old_or_new() -> None:
    size = 8 * 512
    log = b"create /disk/a\nopen 3 /disk/a\nwrite 3 0 %d\n%s\nsync 3\nwrite 3 0 %d\n%s\n" % (
        size, b"o" * size, size, b"n" * size,
    )  # fmt: skip
    data = after(log, Survival.PARTS)["a"]
    assert data is not None
    sectors = {data[start : start + 512] for start in range(0, size, 512)}
    assert sectors == {b"o" * 512, b"n" * 512}
