"""Faults of two runs are matched by what they strike."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path
from typing import Any

from snellen.contract.fault_target import FaultTarget
from snellen.report.comparison.comparison import compared
from snellen.report.comparison.fault_changes import FaultChanges, changed_faults
from snellen.report.comparison.words import lines
from snellen.store.faults import Fault, faults
from tests.store.recorded_faults import Planted, thing, write_faults

ALL = ("s0", "s1", "s2")
NEAR, FAR = thing((0.5, 0.0, 10.5, 10.0)), thing((50.0, 0.0, 60.0, 10.0))


def run(folder: Path, *scenes: list[Planted]) -> list[Fault]:
    with closing(write_faults(folder, scenes)) as journal:
        return faults(journal)


def counts(found: FaultChanges) -> tuple[int, int, int, int]:
    return len(found.fixed), len(found.still), len(found.new), len(found.not_comparable)


def test_fixed_new_and_still_there(tmp_path: Path) -> None:
    a = run(tmp_path / "a", [Planted([thing()]), Planted([FAR])], [Planted([thing()])])
    b = run(tmp_path / "b", [Planted([NEAR], 0.9, "object")], [], [Planted([thing()])])
    found = changed_faults(a, b, ALL)
    assert counts(found) == (2, 1, 1, 0)
    assert {one.target.box for one in found.fixed} == {FAR.box, thing().box}
    assert [one.scenes for one in found.still] == [("s0",)], "its box moved by half a pixel"
    assert [one.scenes for one in found.new] == [("s2",)]


def test_a_scene_that_only_one_run_examined_is_not_comparable(tmp_path: Path) -> None:
    a = run(tmp_path / "a", [Planted([thing()])], [Planted([thing()])])
    assert counts(changed_faults(a, [], ("s0",))) == (1, 0, 0, 1)
    assert counts(changed_faults([], a, ("s0",))) == (0, 0, 1, 1)


def test_a_shared_thing_is_the_same_in_another_scene(tmp_path: Path) -> None:
    shared = FaultTarget("missing cat", "missing cat", shared=True)
    a, b = run(tmp_path / "a", [Planted([shared])]), run(tmp_path / "b", [], [Planted([shared])])
    assert counts(changed_faults(a, b, ALL)) == (0, 1, 0, 0)


def test_the_same_run_twice_has_the_same_faults(tmp_path: Path) -> None:
    scenes = [
        [Planted([thing(), FAR], 0.5, "object"), Planted([FAR], 0.9, "seam")],
        [Planted([NEAR])],
    ]
    a, b = run(tmp_path / "a", *scenes), run(tmp_path / "b", *scenes)
    assert counts(changed_faults(a, b, ALL)) == (0, 4, 0, 0), "one thing has two causes"
    assert [one.id for one in a] == [one.id for one in b]


def test_runs_are_compared_by_fault(run_folder: Any) -> None:
    folder = run_folder("insertion")
    found = compared(folder, folder)
    assert counts(found.faults)[0] == counts(found.faults)[2] == 0
    said = "\n".join(lines(found))
    assert f"faults: 0 fixed in B, 0 new in B, {len(found.faults.still)} in both" in said
    told = found.to_json()["faults"]
    assert {key: len(value) for key, value in told.items()} == {
        "fixed": 0,
        "still": len(found.faults.still),
        "new": 0,
        "not_comparable": 0,
    }
    assert {"id", "target", "scenes", "cause", "proven", "findings", "finding", "box"} == set(
        told["still"][0]
    )
