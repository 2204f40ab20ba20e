"""Planted causes are named rightly by both methods that paste, and the least trigger is found."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import Any

import pytest

from snellen.changes.paste.insert import Insert
from snellen.changes.recipe import Recipe
from snellen.contract.explanation import UNEXPLAINED, Explanation
from snellen.contract.questions import Question
from snellen.contract.verdict import PART, TEST, Status
from tests.methods.planted_pastes import (
    LABELS,
    Box,
    BoxScene,
    ByNoise,
    Fault,
    by_any_change,
    by_object,
    by_object_anywhere,
    by_place,
    by_seam,
    examined,
    near,
)

METHODS = ("insertion", "robustness")


def explanations(name: str, fault: Fault, scenes: int, **options: Any) -> list[Explanation]:
    return [
        one
        for seed in range(scenes)
        for one in examined(name, BoxScene(seed), fault, **options).explanations.values()
    ]


@pytest.mark.parametrize("name", METHODS)
@pytest.mark.parametrize(
    ("fault", "cause", "proven"),
    [
        (by_object, "object", True),
        (by_object_anywhere, "object", True),
        (by_place, "place", True),
        (by_seam, "seam", False),
        (by_any_change, "any-change", False),
    ],
)
def test_a_planted_cause_is_named(name: str, fault: Fault, cause: str, proven: bool) -> None:
    found = explanations(name, fault, 10)
    assert len(found) >= 10
    causes = Counter(one.cause for one in found)
    assert causes[cause] >= 0.95 * len(found), causes
    assert all(one.proven == proven for one in found if one.cause == cause)
    assert all(12 <= len(one.rungs) <= 26 for one in found)
    assert all(one.says for one in found)
    assert all(rung.case.role == PART for one in found for rung in one.rungs)


@pytest.mark.parametrize("name", METHODS)
@pytest.mark.parametrize("together", [True, False])
def test_a_subject_that_fails_whatever_was_pasted_is_not_explained_by_the_object(
    name: str, together: bool
) -> None:
    found = [
        one
        for seed in range(16)
        for world in [BoxScene(seed)]
        for one in examined(name, world, ByNoise(world, together=together)).explanations.values()
    ]
    assert len(found) >= 8
    assert {one.cause for one in found} <= {"seam", "any-change"}
    assert not any(one.proven for one in found)


@pytest.mark.parametrize("name", METHODS)
def test_a_perfect_subject_has_no_finding_and_no_failing_control(name: str) -> None:
    for seed in range(3):
        verdict = examined(name, BoxScene(seed), lambda _recipe, _box: False)
        assert not verdict.explanations
        assert {case.status for case in verdict.cases} == {Status.HOLDS}


def wide_and_opaque(recipe: Recipe, box: Box) -> bool:
    """A cat anywhere, at least 17 pixels wide and 42% opaque."""
    cat = isinstance(recipe, Insert) and LABELS[recipe.object] == "cat"
    return cat and recipe.width >= 17 and recipe.opacity >= 0.42  # type: ignore[attr-defined]


@pytest.mark.parametrize("name", METHODS)
def test_a_minimal_trigger_is_reached_within_a_tenth(name: str) -> None:
    found = explanations(name, wide_and_opaque, 8)
    assert len(found) >= 6
    for one in found:
        assert one.smallest is not None
        recipe = one.smallest.recipe
        assert isinstance(recipe, Insert)
        assert 17 <= recipe.width <= 1.1 * 17
        assert 0.42 <= recipe.opacity <= 1.1 * 0.42
        assert one.smallest in [rung.case for rung in one.rungs if rung.persists]


def test_a_smaller_object_stands_on_the_same_point() -> None:
    for seed in range(3):
        verdict = examined("insertion", BoxScene(seed), by_object_anywhere)
        for number, one in verdict.explanations.items():
            whole = verdict.cases[number].recipe
            assert isinstance(whole, Insert)
            for rung in one.rungs:
                if rung.name.startswith("size"):
                    small = rung.case.recipe
                    assert isinstance(small, Insert)
                    assert small.y + small.height == whole.y + whole.height
                    centres = [one.x + one.width / 2 for one in (small, whole)]
                    assert abs(centres[0] - centres[1]) <= 0.5
                    ratio = small.height / whole.height - small.width / whole.width
                    assert abs(ratio) <= 0.5 / whole.height + 1e-9


@pytest.mark.parametrize("name", METHODS)
def test_the_counterfactuals_are_what_their_names_say(name: str) -> None:
    verdict = examined(name, BoxScene(1), by_place)
    [number, *_] = verdict.explanations
    finding = verdict.cases[number].recipe
    assert isinstance(finding, Insert)
    rungs = verdict.explanations[number].rungs
    sources = set()
    for rung in rungs:
        made: Any = rung.case.recipe
        if rung.name == "background through the same mask":
            own = ("object", "x", "y", "width", "height", "blending", "feather")
            assert [getattr(made, key) for key in own] == [getattr(finding, key) for key in own]
            sources.add((made.from_x, made.from_y))
        elif rung.name.startswith("another object here"):
            label = rung.name.split(": ")[1]
            assert LABELS[made.object] == label != LABELS[finding.object]
            assert replace(made, object=finding.object) == finding
        elif rung.name == "the same, shifted by 1 px":
            assert max(abs(made.x - finding.x), abs(made.y - finding.y)) == 1
        elif rung.name.endswith("px away"):
            assert replace(made, x=finding.x, y=finding.y) == finding
            for target in verdict.struck[number]:
                assert target.box is not None
                assert not near(made, target.box)
        elif rung.name == "the same without blending":
            assert replace(made, blending="feather") == finding
    assert len(sources) == 3, "different background"


@pytest.mark.parametrize("name", METHODS)
@pytest.mark.parametrize("allowance", [20, 40, 80, 160])
def test_a_budget_leaves_what_is_known(name: str, allowance: int) -> None:
    asked: list[Question] = []
    verdict = examined(name, BoxScene(2), by_object_anywhere, allowance=allowance, asked=asked)
    assert len(asked) <= allowance
    parents = {case.parent for case in verdict.cases if case.role == "control:patch"}
    failing = {
        number
        for number, case in enumerate(verdict.cases)
        if case.role == TEST and case.status == Status.FAILING
    }
    assert failing <= parents
    for one in verdict.explanations.values():
        assert one.cause in ("object", UNEXPLAINED)
        assert (one.cause == UNEXPLAINED) == (not one.rungs)
    if allowance >= 80:
        assert any(one.proven for one in verdict.explanations.values())


def test_an_explanation_does_not_depend_on_other_findings() -> None:
    """A finding explained later by hand gets the same questions."""
    first = examined("insertion", BoxScene(2), by_place, per_object=3)
    again = examined("insertion", BoxScene(2), by_place, per_object=3)
    for number, one in first.explanations.items():
        other = again.explanations[number]
        assert [rung.case.recipe for rung in one.rungs] == [
            rung.case.recipe for rung in other.rungs
        ]


def test_robustness_strikes_its_base_instance() -> None:
    world = BoxScene(2)
    verdict = examined("robustness", world, by_place)
    assert verdict.struck
    for number, struck in verdict.struck.items():
        base = int(verdict.cases[number].measurements["base"])
        [target] = struck
        assert target.box == pytest.approx(world.boxes[base])
        assert target.key.startswith("object ")


def test_as_published_a_finding_without_hard_events_is_explained_too() -> None:
    """Every change counts then, such as a score that falls by a little below the threshold."""
    options = {"as_published": True, "tests_per_level": 2, "score": 0.55, "scores": (0.6, 0.45)}
    found = explanations("robustness", by_place, 3, **options)
    assert found
    assert {one.cause for one in found} == {"place"}
    assert not explanations("robustness", by_place, 3, **{**options, "as_published": False})


@pytest.mark.parametrize("name", METHODS)
def test_any_budget_ends_well(name: str) -> None:
    """However many questions there are, and wherever they run out."""
    options: dict[str, Any] = {"relocate": True} if name == "insertion" else {}
    cases = [
        len(examined(name, BoxScene(3), by_place, allowance=allowance, **options).cases)
        for allowance in range(3, 120, 4)
    ]
    assert cases[-1] > cases[len(cases) // 2] > cases[3]
