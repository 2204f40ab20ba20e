"""A perfect fusion subject raises nothing; planted faults are found as what they are."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from snellen.changes.insert3d.insert3d import Insert3D
from snellen.contract.verdict import Case, Status
from snellen.scenes.registry import open_scenes
from snellen.scenes.scene import Scene
from snellen.vision.detections3d import Detections3D
from snellen.vision.events import Event
from snellen.vision.solids.overlap3d import overlap3d
from tests.methods.fusion.frame_driver import cases_in, controls_in, examined, method, planted

RANDOM = {"search": "random", "objects": 3, "tries": 4}


@pytest.fixture(scope="module")
def frames(shared: Callable[[str], Path]) -> list[Scene]:
    root = str(shared("kitti"))
    return list(open_scenes({"kind": "kitti", "root": root}, Path()))


@pytest.fixture(scope="module")
def some(frames: list[Scene]) -> list[Scene]:
    """Enough of them for each fault to show."""
    return frames[:4]


def run(fault: str, frames: list[Scene], options: dict[str, Any] = RANDOM) -> list[Case]:
    verdicts = examined(method(planted(fault), frames, options))
    assert all(case.status == Status.HOLDS for case in controls_in(verdicts))
    cases = cases_in(verdicts)
    assert len(cases) > 10
    return cases


def hard(cases: list[Case]) -> list[tuple[Case, Event]]:
    return [(case, one) for case in cases for one in case.events if one.severity == "hard"]


@pytest.mark.timeout(900)  # most of what is compiled for fusion is compiled here first
@pytest.mark.parametrize(
    ("tries", "insertions"), [(8, 60), pytest.param(64, 500, marks=pytest.mark.thorough)]
)
def test_a_perfect_subject_raises_nothing_in_many_insertions(
    frames: list[Scene], tries: int, insertions: int
) -> None:
    cases = run("none", frames, RANDOM | {"objects": 1, "tries": tries})
    assert len(cases) >= insertions
    assert {case.status for case in cases} == {Status.HOLDS}


def test_places_that_strain_most_break_no_perfect_subject(some: list[Scene]) -> None:
    cases = run("none", some[:2], RANDOM | {"search": "informed", "controls": 1.0})
    assert {case.status for case in cases} == {Status.HOLDS}


def test_noise_below_the_margins_raises_nothing(some: list[Scene]) -> None:
    assert not hard(run("jitters", some))


def test_a_blindness_beyond_25_m_is_found_as_insertions_missed_there(some: list[Scene]) -> None:
    cases = run("misses-beyond", some)
    found = hard(cases)
    assert {event.kind.value for _, event in found} == {"inserted-missed"}
    solid = [event.solid for _, event in found if event.solid is not None]
    assert min(np.hypot(box[0], box[1]) for box in solid) > 24
    single = [case for case in cases if len(placed(case)) == 1]
    near = [case for case in single if case.measurements["distance"] < 24]
    assert {case.status for case in near} == {Status.HOLDS}


def test_a_phantom_beside_a_new_car_is_found_as_one_that_appeared(some: list[Scene]) -> None:
    found = hard(run("hallucinates-beside", some))
    assert found
    assert {event.kind.value for _, event in found} == {"appeared"}
    for case, event in found:
        if event.solid is not None:
            apart = [
                np.hypot(event.solid[0] - x, event.solid[1] - y) for _, x, y, *_ in placed(case)
            ]
            assert min(apart) < 14


def test_a_car_lost_behind_a_new_one_is_found_as_lost_and_stands_behind(
    some: list[Scene],
) -> None:
    found = hard(run("loses-behind", some))
    assert found
    assert {event.kind.value for _, event in found} == {"lost"}
    for case, event in found:
        if event.solid is not None:
            nearest = min(np.hypot(x, y) for _, x, y, *_ in placed(case))
            assert np.hypot(event.solid[0], event.solid[1]) > nearest
            before = case.before
            assert isinstance(before, Detections3D)
            assert overlap3d(before.boxes, np.array([event.solid])).max() == pytest.approx(1)


def test_boxes_that_shift_when_something_is_put_in_are_found_as_moved(some: list[Scene]) -> None:
    found = hard(run("shifts", some))
    assert "moved" in {event.kind.value for _, event in found}
    assert "inserted-missed" not in {event.kind.value for _, event in found}


def placed(case: Case) -> tuple[Any, ...]:
    assert isinstance(case.recipe, Insert3D)
    return case.recipe.objects
