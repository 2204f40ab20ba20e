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
from snellen.methods.fusion.explanation.rung_names import RungName
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
    Trigger,
    Veto,
    farther_than,
    in_both,
    in_cloud,
    in_either,
    in_image,
    longer_than,
    of_types,
)
from tests.methods.fusion.frame_driver import (
    cases_in,
    controls_in,
    examined,
    explanations_in,
    forget_built_cases,
    method,
)

RANDOM = {"search": "random", "objects": 2, "tries": 3}


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


@pytest.mark.timeout(900)
def test_an_object_that_is_lost_where_it_is_partly_hidden_is_lost_by_occlusion(
    frames: list[Scene],
) -> None:
    found = explained(OcclusionLoser(), frames, RANDOM)
    assert len(found) >= 4
    assert named(found)["occlusion"] >= 0.95 * len(found)
    assert sum(one.proven for one in found) >= 0.7 * len(found)
    assert all("of the struck object is hidden" in one.says for one in found)


@pytest.mark.parametrize(("by_image", "cause"), [(True, "camera"), (False, "lidar")])
def test_a_missed_insertion_is_blamed_on_the_sensor_without_which_it_is_found(
    by_image: bool, cause: str, frames: list[Scene]
) -> None:
    found = explained(Veto(by_image=by_image), frames[:3])
    assert len(found) >= 3
    assert named(found) == {cause: len(found)}


MISSED = [
    (longer_than(4.5), {"meshes": ("sedan", "suv")}, "object"),
    (of_types("Pedestrian", "Cyclist"), {}, "object"),
    (farther_than(18), {}, "place"),
]


@pytest.mark.parametrize(("trigger", "options", "cause"), MISSED)
def test_a_mesh_or_a_place_that_is_missed_is_told_apart(
    trigger: Trigger, options: dict[str, Any], cause: str, frames: list[Scene]
) -> None:
    found = explained(Blind(trigger=trigger), frames[:4], RANDOM | options)
    assert len(found) >= 2
    assert named(found)[cause] >= 0.95 * len(found)
    assert any(one.proven for one in found)


def test_who_misses_every_insertion_is_not_proven_to_be_wrong(frames: list[Scene]) -> None:
    blind = explained(Blind(trigger=lambda one: True), frames[:2])
    assert set(named(blind)) <= {"both", "unexplained"}
    assert not any(one.proven for one in blind)


DEPENDENCE = [
    (of_types("Car", "Van"), "It depends on the class of the mesh."),
    (farther_than(18), "It depends on the place."),
    (in_either, "It depends neither on the mesh nor on the place, as far as tried."),
]


@pytest.mark.parametrize(("trigger", "words"), DEPENDENCE)
def test_the_words_say_whether_a_loss_depends_on_the_mesh_or_the_place(
    trigger: Trigger, words: str, frames: list[Scene]
) -> None:
    found = explained(Loser(trigger=trigger), frames[:4], RANDOM | {"tries": 2})
    assert len(found) >= 3
    assert named(found)["both"] >= 0.95 * len(found)
    assert sum(one.says.endswith(words) for one in found) >= 0.95 * len(found)


PLANTED = [
    (OcclusionLoser(), "occlusion"),
    (Loser(trigger=in_image), "camera"),
    (Loser(trigger=in_cloud), "lidar"),
    (Loser(trigger=in_both), "both"),
    *((Blind(trigger=trigger), cause) for trigger, options, cause in MISSED if not options),
]


@pytest.mark.thorough
@pytest.mark.timeout(3600)
def test_causes_are_named_in_generated_streets() -> None:
    """16 streets; those of seeds 91 and 92 were not looked at when the rules were made."""
    causes: dict[tuple[int, str], Counter[str]] = {}
    for seed in (21, 22, 91, 92):
        streets = list(open_scenes({"kind": "streets", "count": 4, "seed": seed}, Path()))
        forget_built_cases()
        for number, (subject, cause) in enumerate(PLANTED):
            kept = causes.setdefault((number, cause), Counter())
            kept.update(named(explained(subject, streets)))
    for (_, cause), kept in causes.items():
        assert kept.total() >= 12
        assert kept[cause] >= 0.95 * kept.total(), (cause, kept)


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


@pytest.mark.parametrize(
    ("rate", "scenes"), [(0.3, 4), pytest.param(0.15, 8, marks=pytest.mark.thorough)]
)
def test_noise_is_never_proven_to_be_a_cause(rate: float, scenes: int, frames: list[Scene]) -> None:
    found = explained(Noise(rate=rate), frames[:scenes], whole=True)
    assert len(found) >= 5
    assert sum(one.proven for one in found) <= 0.05 * len(found)
    assert named(found)["any-change"] >= 0.7 * len(found)


def test_a_perfect_subject_has_nothing_to_explain(frames: list[Scene]) -> None:
    assert not explained(PerfectSolids(), frames[:4])


def rates(verdicts: list[Verdict]) -> tuple[float, float]:
    tests, nulls = cases_in(verdicts), [one for one in controls_in(verdicts) if one.role == NULL]
    return tuple(sum(one.status == Status.FAILING for one in some) / len(some)
                 for some in (tests, nulls))  # type: ignore[return-value]  # fmt: skip


@pytest.mark.parametrize(
    ("scenes", "tries"), [(2, 3), pytest.param(8, 8, marks=pytest.mark.thorough)]
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
