"""Planted causes are named, and noise is not."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from snellen.changes.insert3d.insert3d import Insert3D
from snellen.changes.insert3d.mesh_recipe import name_and_scale
from snellen.changes.insert3d.null3d import Null3D
from snellen.contract.asked import Asked
from snellen.contract.explanation import Explanation
from snellen.contract.questions import Answer
from snellen.contract.verdict import CHANCE, TEST, Status, Verdict
from snellen.methods.fusion.explanation.evidence import RungName
from snellen.methods.fusion.null_controls import NULL
from snellen.methods.fusion.prepared_frame import placed_by
from snellen.scenes.registry import open_scenes
from snellen.scenes.scene import Scene
from snellen.subjects.planted.perfect_solids import PerfectSolids
from snellen.subjects.subject import Subject
from snellen.vision.detections3d import Detections3D
from snellen.vision.solids.projected_boxes import image_boxes
from tests.methods.fusion.explanation.planted_causes import (
    Blind,
    ChangeLoser,
    Loser,
    Noise,
    OcclusionLoser,
    Veto,
    in_both,
    in_cloud,
    in_either,
    in_image,
    longer_than,
)
from tests.methods.fusion.frame_driver import (
    cases_in,
    controls_in,
    examined,
    explanations_in,
    method,
)

RANDOM = {"search": "random", "objects": 2, "tries": 3}
SENSORS = {"camera", "lidar", "both", "occlusion"}


@pytest.fixture(scope="module")
def frames(shared: Callable[[str], Path]) -> list[Scene]:
    """Frames with labelled objects of which some stand free."""
    return list(open_scenes({"kind": "kitti", "root": str(shared("kitti"))}, Path()))


def explained(
    subject: Subject, frames: list[Scene], options: dict[str, Any] = RANDOM, **driving: bool
) -> list[Explanation]:
    verdicts = examined(method(subject, frames, options), explained=True, **driving)
    return explanations_in(verdicts)


def named(found: list[Explanation]) -> Counter[str]:
    return Counter(one.cause for one in found)


@pytest.mark.timeout(900)
@pytest.mark.parametrize(
    ("trigger", "cause"),
    [(in_image, "camera"), (in_cloud, "lidar"), (in_both, "both"), (in_either, "both")],
)
def test_the_sensor_that_makes_it_lose_an_object_is_the_cause(
    trigger: Any, cause: str, frames: list[Scene]
) -> None:
    found = explained(Loser(trigger=trigger), frames[:4], RANDOM | {"tries": 2})
    assert len(found) >= 4
    assert named(found)[cause] >= 0.95 * len(found)
    assert sum(one.proven for one in found) >= 0.95 * len(found)
    for one in found:
        assert "4 of 4 poses slightly off and 0 of 3 background nulls" in one.says


@pytest.mark.parametrize("tries", [3, pytest.param(8, marks=pytest.mark.thorough)])
def test_an_object_that_is_lost_where_it_is_partly_hidden_is_lost_by_occlusion(
    tries: int, frames: list[Scene]
) -> None:
    found = explained(OcclusionLoser(), frames, RANDOM | {"tries": tries})
    steady = [one for one in found if "4 of 4 poses" in one.says]  # not at the subject's border
    assert len(steady) >= max(4, 0.8 * len(found))
    assert named(steady)["occlusion"] >= 0.95 * len(steady)
    assert all("of the struck object is hidden" in one.says for one in found)


@pytest.mark.parametrize(("by_image", "cause"), [(True, "camera"), (False, "lidar")])
def test_a_missed_insertion_is_blamed_on_the_sensor_without_which_it_is_found(
    by_image: bool, cause: str, frames: list[Scene]
) -> None:
    found = explained(Veto(by_image=by_image), frames[:3])
    assert len(found) >= 3
    assert named(found) == {cause: len(found)}


def test_a_mesh_or_a_place_that_is_missed_is_told_apart(frames: list[Scene]) -> None:
    sizes = {"meshes": ("sedan", "suv"), "variants": 4}
    long = explained(Blind(trigger=longer_than(4.5)), frames[:4], RANDOM | sizes)
    assert named(long).most_common(1)[0][0] == "object"

    far = explained(Blind(trigger=lambda one: one.row.location[2] > 18), frames[:4], RANDOM | sizes)
    assert named(far).most_common(1)[0][0] == "place"
    assert any(one.proven for one in far)
    blind = explained(Blind(trigger=lambda one: True), frames[:4], RANDOM | sizes)
    assert named(blind) == {"both": len(blind)}
    assert not any(one.proven for one in blind)


def test_the_smallest_mesh_that_still_does_it_is_found_within_a_tenth(
    frames: list[Scene],
) -> None:
    found = explained(Loser(trigger=longer_than(2.0)), frames[:4], RANDOM | {"meshes": ("sedan",)})
    assert len(found) >= 3
    for one in found:
        assert one.smallest is not None
        assert isinstance(one.smallest.recipe, Insert3D)
        [(mesh, *_)] = one.smallest.recipe.objects
        assert 2.0 <= _length(mesh) <= 2.2 * 1.0001
        assert one.smallest.status == Status.FAILING


def _length(mesh: str) -> float:
    from snellen.objects.meshes.mesh_set import ParametricMeshes

    base, scale = name_and_scale(mesh)
    return float(ParametricMeshes().mesh(base).size[0] * scale)


def test_noise_is_never_proven_to_be_a_sensor(frames: list[Scene]) -> None:
    found = explained(Noise(rate=0.3), frames[:4], whole=True)
    assert len(found) >= 5
    assert not any(one.proven and one.cause in SENSORS for one in found)
    assert named(found)["any-change"] >= 0.7 * len(found)


def rates(verdicts: list[Verdict]) -> tuple[float, float]:
    tests, nulls = cases_in(verdicts), [one for one in controls_in(verdicts) if one.role == NULL]
    return tuple(sum(one.status == Status.FAILING for one in some) / len(some)
                 for some in (tests, nulls))  # type: ignore[return-value]  # fmt: skip


@pytest.mark.parametrize(
    ("scenes", "tries"), [(3, 4), pytest.param(8, 8, marks=pytest.mark.thorough)]
)
def test_a_subject_that_reacts_to_any_change_nearby_fails_on_nulls_as_often(
    scenes: int, tries: int, frames: list[Scene]
) -> None:
    subject = ChangeLoser(scenes=frames[:scenes])
    options = RANDOM | {"controls": 1.0, "objects": 1, "tries": tries}
    verdicts = examined(method(subject, frames[:scenes], options), explained=True, whole=True)
    tests, nulls = rates(verdicts)
    assert tests > 0.2
    assert nulls >= 0.8 * tests
    found = explanations_in(verdicts)
    assert named(found)["seam"] >= 0.8 * len(found)
    assert not any(one.proven for one in found if one.cause == "seam")


def test_every_failing_test_has_a_null_at_any_budget(frames: list[Scene]) -> None:
    tested = method(Loser(trigger=in_both), frames[:1], RANDOM)
    for allowance in (3, 4, 5, 6, 7, 9, 12, 18):
        [made] = examined(tested, allowance)
        assert len(made.cases) < allowance
        with_null = {case.parent for case in made.cases if case.role == NULL}
        tests = [n for n, case in enumerate(made.cases) if case.role == TEST]
        failing = {n for n in tests if made.cases[n].status == Status.FAILING}
        assert len(failing) == len(tests)
        assert failing <= with_null <= set(tests)
        for case in made.cases:
            if case.role == NULL:
                assert case.status == Status.HOLDS
                assert case.parent is not None
                chance = 1.0 if case.parent in failing else 0.2
                assert case.measurements[CHANCE] == chance


def test_what_is_detected_in_place_of_a_null_is_a_phantom(frames: list[Scene]) -> None:
    tested, [scene] = method(PerfectSolids(), frames[:1]), frames[:1]
    recipe = Insert3D((("sedan-1", 20.0, 0.0, -1.7, 0.0),), 1)
    before = Detections3D.empty()
    [one] = placed_by(recipe, tested.choices)
    assert scene.sweep is not None
    flat = image_boxes(np.array([one.box]), scene.sweep.calibration().frames(), scene.size)
    there = Detections3D([one.box], [one.label], [0.9], flat)  # type: ignore[arg-type]
    for made, kinds in ((recipe, set()), (Null3D(recipe.objects, 1), {"appeared"})):
        case = tested.judge(Asked(scene, made, Answer(there), Answer(before)))
        assert {event.kind.value for event in case.events} == kinds


def test_an_explanation_cut_short_says_what_it_knows(frames: list[Scene]) -> None:
    tested = method(Loser(trigger=in_image), frames[:1], RANDOM | {"objects": 1})
    for allowance in range(5, 40, 5):
        [made] = examined(tested, allowance, explained=True)
        assert len(made.cases) < allowance
        for one in made.explanations.values():
            names = {rung.name for rung in one.rungs}
            asked = {RungName.IMAGE, RungName.CLOUD} <= names
            assert (one.cause == "camera") == asked
            assert not one.proven or RungName.SLIGHT in names


def test_what_is_struck_is_an_object_once_and_missed_insertions_by_class(
    frames: list[Scene],
) -> None:
    [lost] = examined(method(Loser(trigger=in_both), frames[:1], RANDOM))
    things = {thing for some in lost.struck.values() for thing in some}
    assert len(things) == 1
    [thing] = things
    assert thing.key.startswith("object ")
    assert thing.solid is not None
    blind = Blind(trigger=lambda one: True)
    [missed] = examined(method(blind, frames[:1], RANDOM | {"meshes": ("sedan", "suv")}))
    assert {thing.key for some in missed.struck.values() for thing in some} == {"inserted Car"}
