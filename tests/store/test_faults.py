"""Findings that strike one thing for one cause are one fault."""

from __future__ import annotations

import random
import sqlite3
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from snellen.contract.explanation import UNEXPLAINED
from snellen.contract.fault_target import FaultTarget
from snellen.contract.verdict import Status
from snellen.store.explanations import explanation_of
from snellen.store.faults import causes_of, faults
from snellen.store.findings import findings
from snellen.store.journal import Journal, journal_of
from snellen.store.struck_targets import ScenePlace, same_things, things
from tests.store.recorded_faults import Planted, thing, write_faults


def test_thirty_findings_on_twelve_objects_are_twelve_faults(tmp_path: Path) -> None:
    """As of a real detector: one object is struck 14 times, boxes differ by a pixel."""
    rng = np.random.default_rng(4)
    struck = [0] * 14 + list(range(1, 12)) + [3, 3, 5, 7, 9]
    scenes: list[list[Planted]] = [[] for _ in range(4)]
    for number in struck:
        x, y = 100 * (number // 4), 80
        box = tuple(np.array([x, y, x + 60, y + 40]) + rng.uniform(-1, 1, 4))
        scenes[number % 4].append(Planted([thing(box)]))
    with closing(write_faults(tmp_path, scenes)) as journal:
        found = faults(journal)
    assert sum(len(scene) for scene in scenes) == 30
    assert len(found) == 12
    assert sorted(len(one.findings) for one in found) == sorted([14, *[1] * 7, 2, 2, 2, 3])


def test_the_same_key_in_another_scene_is_another_fault_unless_shared(tmp_path: Path) -> None:
    shared = FaultTarget("missing cat", "missing cat", shared=True)
    scenes = [[Planted([thing()]), Planted([shared])], [Planted([thing()]), Planted([shared])]]
    with closing(write_faults(tmp_path, scenes)) as journal:
        found = faults(journal)
    assert sorted(one.scenes for one in found) == [("s0",), ("s0", "s1"), ("s1",)]


def test_things_without_overlap_or_of_another_key_are_apart(tmp_path: Path) -> None:
    far, other = thing((20.0, 0.0, 30.0, 10.0)), thing(key="object dog")
    scenes = [[Planted([one]) for one in (thing(), far, other, thing(None))]]
    with closing(write_faults(tmp_path, scenes)) as journal:
        assert len(faults(journal)) == 4


def test_two_causes_on_one_thing_are_two_faults(tmp_path: Path) -> None:
    found = [
        Planted([thing()], 0.4, "object", proven=True),
        Planted([thing()], 0.9, "seam"),
        Planted([thing()], 0.95),
        Planted([thing()], 0.5, "object"),
    ]
    with closing(write_faults(tmp_path, [found])) as journal:
        first, second = faults(journal)
    assert (first.cause, second.cause) == ("object", "seam")
    assert first.proven
    assert not second.proven
    assert [one.worst.margin for one in first.findings if one.worst] == [0.4, 0.5, 0.95], (
        "the proven one stands for it, then the explained one; the unexplained one joins it"
    )
    assert first.says == "because of object"
    assert causes_of([first, second]) == {"object": 1, "seam": 1}


def test_the_worst_stands_for_a_fault_that_is_not_explained(tmp_path: Path) -> None:
    scenes = [[Planted([thing()], margin) for margin in (0.3, 0.8, 0.5)]]
    with closing(write_faults(tmp_path, scenes)) as journal:
        [fault] = faults(journal)
    assert fault.representative.worst is not None
    assert fault.representative.worst.margin == 0.8
    assert fault.cause == "unexplained"


def test_a_finding_that_strikes_two_things_belongs_to_two_faults(tmp_path: Path) -> None:
    far = thing((50.0, 0.0, 60.0, 10.0))
    with closing(write_faults(tmp_path, [[Planted([thing(), far]), Planted([far])]])) as journal:
        found = faults(journal)
    assert sorted(len(one.findings) for one in found) == [1, 2]


def test_what_proves_one_thing_does_not_prove_another_of_the_same_finding(tmp_path: Path) -> None:
    there = thing((50, 50, 60, 60))
    both = Planted([thing(), there], cause="object", proven=True, about=1)
    with closing(write_faults(tmp_path, [[both, Planted([there], 0.4)]])) as journal:
        first, second = faults(journal)
    assert (first.target, first.cause, first.proven) == (thing(), "object", True)
    assert (second.target, second.cause, second.proven) == (there, UNEXPLAINED, False)
    assert len(second.findings) == 2


def test_a_journal_that_proved_whole_findings_keeps_only_lone_targets_proven(
    tmp_path: Path,
) -> None:
    there = thing((50, 50, 60, 60))
    both = Planted([thing(), there], cause="object", proven=True)
    alone = Planted([thing((80, 80, 90, 90))], cause="place", proven=True)
    with closing(write_faults(tmp_path, [[both, alone]])) as journal:
        journal.put({"schema": "3"})
    with closing(sqlite3.connect(tmp_path / "journal.sqlite")) as old:
        for table in ("causes", "manifest", "checksums"):
            old.execute(f"DROP TABLE {table}")
        old.commit()
    with closing(journal_of(tmp_path)) as journal:
        found = [(one.cause, one.proven) for one in faults(journal)]
    assert found == [("place", True), ("object", False), ("object", False)]


def test_flaky_findings_are_no_fault_and_relocations_are(tmp_path: Path) -> None:
    found = [
        Planted([thing()], role="relocation"),
        Planted([thing((90.0, 0.0, 99.0, 9.0))], status=Status.FLAKY),
    ]
    with closing(write_faults(tmp_path, [found])) as journal:
        [fault] = faults(journal)
    assert fault.representative.role == "relocation"


def test_only_a_deterministic_subject_has_proven_faults(tmp_path: Path) -> None:
    found = [[Planted([thing()], 0.5, "object", proven=True)]]
    for steady in (True, False):
        with closing(write_faults(tmp_path / str(steady), found, steady=steady)) as journal:
            [fault] = faults(journal)
        assert (fault.proven, fault.confirmed) == (steady, not steady)


@given(st.randoms(use_true_random=False))
def test_faults_do_not_depend_on_the_order_of_findings(rng: random.Random) -> None:
    boxes = [(3.0 * n, 0.0, 3.0 * n + 10, 10.0) for n in range(12)]
    places = [ScenePlace(f"s{n % 2}", thing(box)) for n, box in enumerate(boxes)]
    first = things(places)
    shuffled = places.copy()
    rng.shuffle(shuffled)
    assert things(shuffled) == first


def test_boxes_in_a_chain_are_one_thing() -> None:
    boxes = [(2.0 * n, 0.0, 2.0 * n + 10, 10.0) for n in range(5)]  # neighbours: IoU 8 / 12
    places = [ScenePlace("s", thing(box)) for box in boxes]
    assert len(set(things(places).values())) == 1
    assert not same_things(places[:1], places[-1:])[0, 0]


def test_solids_are_one_thing_if_their_centres_are_near() -> None:
    def car(x: float) -> ScenePlace:
        return ScenePlace("s", FaultTarget("object car", "car", solid=(x, 0, 0, 4, 2, 1.5, 0)))

    assert same_things([car(10.0)], [car(10.9), car(11.1)]).tolist() == [[True, False]]


def test_ids_are_the_same_in_another_run_of_the_same_scenes(tmp_path: Path) -> None:
    few = [[Planted([thing()], 0.5, "object")], []]
    more = [
        [Planted([thing()], 0.5, "object"), Planted([thing()], 0.9)],
        [Planted([thing()], 0.5, "object")],
    ]
    ids = []
    for name, scenes in (("few", few), ("more", more)):
        with closing(write_faults(tmp_path / name, scenes)) as journal:
            ids.append({one.id for one in faults(journal)})
    assert ids[0] < ids[1]
    assert len(ids[1]) == 2


def test_a_journal_without_targets_is_grouped_by_its_events(runs: Any, tmp_path: Path) -> None:
    with closing(journal_of(runs("insertion"))) as journal:
        found = findings(journal)
        known = faults(journal, found)
        bare = _Untargeted(journal)
        guessed = faults(bare, found)  # type: ignore[arg-type]
    assert [(one.id, len(one.parts)) for one in guessed] == [
        (one.id, len(one.parts)) for one in known
    ]
    assert len(known) < len(found)


class _Untargeted:
    """A journal of a version that did not record what findings strike."""

    def __init__(self, journal: Journal) -> None:
        self._journal = journal
        self.get = journal.get

    def rows(self, query: str, values: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
        return [] if "FROM struck" in query else self._journal.rows(query, values)


def test_an_explanation_is_read_with_its_rungs(tmp_path: Path) -> None:
    found = [[Planted([thing()]), Planted([thing()], 0.5, "object", proven=True)]]
    with closing(write_faults(tmp_path, found)) as journal:
        first, second = sorted(findings(journal), key=lambda one: one.number)
        assert explanation_of(journal, first) is None
        told = explanation_of(journal, second)
    assert told is not None
    assert told.cause.proven
    [rung] = told.rungs
    assert (rung.name, rung.persists, rung.case.role, rung.case.parent) == (
        "nothing", False, "part", second.number,
    )  # fmt: skip
    assert told.to_json() == {
        "id": second.id,
        "cause": "object",
        "proven": True,
        "says": "because of object",
        "smallest": None,
        "rungs": [
            {
                "name": "nothing",
                "persists": False,
                "status": "holds",
                "recipe": {"kind": "identity"},
            }
        ],
    }


@pytest.mark.parametrize("shift", [0.0, 3.0, 4.0])
def test_the_iou_decides(shift: float) -> None:
    one = ScenePlace("s", thing((0.0, 0.0, 10.0, 10.0)))
    other = ScenePlace("s", replace(thing(), box=(shift, 0.0, 10 + shift, 10.0)))
    ratio = (10 - shift) / (10 + shift)
    assert same_things([one], [other])[0, 0] == (ratio >= 0.5)
