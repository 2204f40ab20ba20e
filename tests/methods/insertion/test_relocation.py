"""Relocation goes as far towards its target as the failure lasts."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from snellen.changes.paste.insert import Insert
from snellen.methods.insertion.options import InsertionOptions
from snellen.methods.insertion.plan import InsertionScene, PlannedInsertion
from snellen.methods.insertion.relocation import Relocation, distance
from snellen.methods.insertion.scene_relocations import relocation_target
from snellen.scenes.scene import PictureArray, Scene
from snellen.vision.detections import Detections


def anywhere(point: tuple[int, int]) -> bool:
    return True


def driven(relocation: Relocation, reach: float) -> list[tuple[int, int]]:
    """Run it against a subject that fails within `reach` of the start."""
    asked = []
    while relocation.probe is not None:
        asked.append(relocation.probe)
        relocation.record(distance(relocation.start, relocation.probe) <= reach)
    return asked


def test_a_failure_everywhere_reaches_the_target_in_one_step() -> None:
    relocation = Relocation((0, 0), (100, 0), 5, anywhere)
    assert driven(relocation, 1000) == [(100, 0)]
    assert relocation.progress == 1.0


def test_the_first_probes_are_those_of_the_paper() -> None:
    relocation = Relocation((0, 0), (160, 0), 5, anywhere)
    # The target holds, so half way back; that fails, so on towards the target from there.
    assert driven(relocation, 85)[:3] == [(160, 0), (80, 0), (120, 0)]


def test_a_failure_nowhere_else_stays() -> None:
    relocation = Relocation((0, 0), (100, 0), 5, anywhere)
    driven(relocation, 0)
    assert relocation.best == (0, 0)
    assert relocation.progress == 0.0


@given(st.integers(-300, 300), st.integers(-300, 300), st.floats(0, 1))
def test_it_stops_within_the_stop_rule_of_where_the_failure_ends(
    x: int, y: int, share: float
) -> None:
    whole = float(np.hypot(x, y))
    relocation = Relocation((0, 0), (x, y), 8, anywhere)
    asked = driven(relocation, share * whole)
    assert len(asked) <= 32, "after each failure it tries half the rest of the way, as published"
    assert distance((0, 0), relocation.best) <= share * whole + 1e-9
    if whole >= 8:
        assert distance((0, 0), relocation.best) >= share * whole - 2 * 8 - 2


def test_a_forbidden_place_is_not_asked_about_and_counts_as_no_failure() -> None:
    relocation = Relocation((0, 0), (160, 0), 5, lambda point: point[0] < 100)
    asked = driven(relocation, 1000)
    assert all(point[0] < 100 for point in asked)
    assert 80 <= relocation.best[0] < 100


def test_a_start_at_the_target_asks_nothing() -> None:
    relocation = Relocation((50, 50), (52, 50), 5, anywhere)
    assert relocation.probe is None
    assert relocation.progress == pytest.approx(0.0)


@pytest.mark.parametrize(
    ("wish", "expected"),
    [("label-centroid", (90, 10)), ("centroid", (50, 30)), ([7, 9], (7, 9))],
)
def test_a_relocation_heads_where_its_target_option_says(
    wish: Any, expected: tuple[int, int]
) -> None:
    """`label-centroid` is the centre of the objects of the struck one's label, not of all."""
    boxes = np.array([[0, 40, 20, 60], [70, 0, 90, 20], [90, 0, 110, 20], [0, 40, 20, 60]])
    labels = np.array([0, 1, 1, 0])
    objects = Detections(boxes.astype(np.float32), labels, np.full(4, 0.9, np.float32))
    scene = Scene("scene", PictureArray(np.zeros((80, 120, 3), np.uint8)), (80, 120))
    options = InsertionOptions.model_validate({"target": wish})
    stage = InsertionScene.of(scene, objects, ("cat", "dog"), options)
    planned = PlannedInsertion(Insert("object", 0, 0, 8, 8, "feather", 2.0), 1, 2, 5.0)
    assert relocation_target(stage, planned) == expected
