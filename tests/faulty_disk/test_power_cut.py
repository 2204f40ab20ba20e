"""A power cut at any operation leaves a run that --resume completes, and whole files only."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing
from typing import Any

import pytest

from snellen.errors import UserError
from snellen.store.journal import journal_of
from tests.faulty_disk.conftest import FaultyDisk
from tests.faulty_disk.power_cut import Disk, State, Survival, operations, written_to_disk
from tests.faulty_disk.small_run import NEW, OLD

QUICK = (Survival.NOTHING, Survival.NAMES, Survival.PARTS)


def states(
    disk: FaultyDisk, log: bytes, survivals: Iterable[Survival], seeds: Sequence[int] = (0,)
) -> Iterator[tuple[str, State]]:
    """What may be on the disk after a power cut after each operation, each state once."""
    model, seen, number = Disk(disk.root), set(), 0
    for one in operations(log):
        model.do(one)
        if one.name == "open":
            continue
        number += 1
        for survival in survivals:
            for seed in seeds if survival == Survival.PARTS else (0,):
                found = model.after_power_cut(survival, seed + number)
                key = tuple(found.items())
                if key not in seen:
                    seen.add(key)
                    yield f"after {number} ({one.name}): {survival}", found


def not_resumed(
    disk: FaultyDisk, found: Iterable[tuple[str, State]], rows: str
) -> dict[str, dict[str, Any]]:
    """The states from which a run does not resume to the same rows."""
    wrong = {}
    for name, state in found:
        written_to_disk(state, disk.root)
        resumed = disk.do("run", resume=True)
        if resumed.get("result") != rows:
            wrong[name] = resumed
    return wrong


def test_a_run_is_resumed_to_the_same_rows(faulty_disk: FaultyDisk) -> None:
    log = faulty_disk.logged("run")
    rows = faulty_disk.do("run", resume=True)["result"]
    assert not_resumed(faulty_disk, states(faulty_disk, log, QUICK), rows) == {}


@pytest.mark.thorough
@pytest.mark.timeout(1800)
@pytest.mark.parametrize("synced", [False, True])
def test_a_run_is_resumed_to_the_same_rows_whatever_survives(
    faulty_disk: FaultyDisk, synced: bool
) -> None:
    log = faulty_disk.logged("run", synced=synced)
    rows = faulty_disk.do("run", resume=True)["result"]
    every = states(faulty_disk, log, Survival, seeds=range(0, 5000, 1000))
    assert not_resumed(faulty_disk, every, rows) == {}


def ended_units(disk: FaultyDisk, state: State) -> int | None:
    """How many units a journal has after a power cut; None without a journal that can be read."""
    written_to_disk(state, disk.root)
    try:
        with closing(journal_of(disk.root / "run")) as journal:
            assert journal.damaged() == []
            return len(journal.ended())
    except UserError:
        return None


def test_scenes_that_have_ended_survive(faulty_disk: FaultyDisk) -> None:
    """If every commit waits for the disk, as one a second does: each unit by itself is there."""
    log = faulty_disk.logged("run", synced=True)
    found = states(faulty_disk, log, [Survival.NOTHING])
    counts = [ended_units(faulty_disk, state) for _, state in found]
    known = [one for one in counts if one is not None]
    assert set(known) == {0, 1, 2}
    assert known == sorted(known)


def test_a_finished_run_survives_with_all_its_files(faulty_disk: FaultyDisk) -> None:
    log = faulty_disk.logged("run")
    rows = faulty_disk.do("run", resume=True)["result"]
    *_, (_, last) = states(faulty_disk, log, [Survival.NOTHING])
    assert last["run/config.yaml"]
    assert ended_units(faulty_disk, last) == 2
    with closing(journal_of(faulty_disk.root / "run")) as journal:
        assert journal.get("finished") is not None
        assert journal.digest() == rows


def test_a_file_is_the_old_or_the_new_one_and_a_folder_is_whole(faulty_disk: FaultyDisk) -> None:
    log = faulty_disk.logged("write")
    whole = {"folder/one": OLD, "folder/inner": None, "folder/inner/two": NEW}
    files, last = [], None
    for name, last in states(faulty_disk, log, Survival, seeds=range(0, 3000, 1000)):
        files.append(last.get("deep/file"))
        assert files[-1] in (None, OLD, NEW), name
        inside = {path: data for path, data in last.items() if path.startswith("folder/")}
        assert inside in ({}, whole), name
        assert ("folder" in last) == bool(inside), name
    assert {None, OLD, NEW} == set(files)


def test_what_was_written_survives_when_the_call_has_returned(faulty_disk: FaultyDisk) -> None:
    *_, (_, last) = states(faulty_disk, faulty_disk.logged("write"), [Survival.NOTHING])
    assert last["deep/file"] == NEW
    assert last["folder/inner/two"] == NEW
    assert last["folder/one"] == OLD
