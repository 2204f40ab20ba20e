"""What repair is told by insertion: which cases have places, and where else objects may stand."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from snellen.changes.identity import Identity
from snellen.changes.paste.insert import Insert
from snellen.contract.method import Setting
from snellen.contract.repairs import ReplayedUnit
from snellen.contract.verdict import Case, Status
from snellen.methods.insertion.method import InsertionMethod
from snellen.methods.insertion.options import InsertionOptions
from snellen.methods.insertion.repair_support import InsertionRepairs
from snellen.objects.library.memory_library import MemoryLibrary
from snellen.scenes.scene import PictureArray, Scene, SceneSet
from snellen.subjects.planted import PerfectSubject
from snellen.vision.detections import Detections

REPAIRS = InsertionRepairs()
SCENE = Scene("s", PictureArray(np.zeros((60, 80, 3), np.uint8)), (60, 80))
SEEN = Detections(
    np.array([[10, 20, 20, 40], [50, 20, 60, 40]]), np.array([0, 0]), np.array([0.9, 0.9])
)


def method_of(**options: Any) -> InsertionMethod:
    setting = Setting(PerfectSubject(), SceneSet((SCENE,)), Path(), 1)
    return InsertionMethod(InsertionOptions(**options), setting, MemoryLibrary([]))


@pytest.mark.parametrize(
    ("role", "used"),
    [("test", True), ("relocation", True), ("control:patch", False), ("part", False)],
)
def test_places_are_those_of_tests_and_relocations(role: str, used: bool) -> None:
    recipe = Insert("o", 0, 0, 5, 5)
    assert (REPAIRS.insertion(role, recipe) is recipe) == used
    assert REPAIRS.insertion(role, Identity()) is None


def test_other_places_are_where_the_run_lets_objects_stand() -> None:
    anywhere = REPAIRS.allowed_places(method_of(), SCENE, SEEN)
    as_others = REPAIRS.allowed_places(method_of(footing="height"), SCENE, SEEN)
    assert anywhere.obstacles.tolist() == SEEN.boxes.tolist()
    bottoms = [places.free("car", 10, 20, [])[:, 1] + 20 for places in (anywhere, as_others)]
    assert (bottoms[0].min(), bottoms[0].max()) == (20, 60)
    assert bottoms[1].min() > 20
    assert bottoms[1].max() < 60


def test_a_replay_counts_what_is_reported_now() -> None:
    now = Detections(
        np.array([[0, 0, 9, 9], [0, 0, 9, 9], [5, 5, 5, 9]]),
        np.array([0, 0, 0]),
        np.array([0.9, 0.1, 0.9]),
    )
    unit = ReplayedUnit(SCENE, now, {}, {}, {"objects": 7, "relocations": []})
    cases = [Case(Identity(), role, Status.HOLDS, now) for role in ("test", "test", "control:x")]
    notes = REPAIRS.replay_notes(method_of(), unit, cases, np.random.default_rng(0))
    assert notes == {"objects": 1, "insertions": 2}
