"""Failure rates side by side and case by case, against counts made by hand."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest
from scipy import stats

from snellen.report.comparison.cases import rate_pair, same_cases
from snellen.store.case_rows import CaseRow

SCENES = [f"s{n}" for n in range(30)]


def row(scene: str, recipe: str, failing: bool, role: str = "test") -> CaseRow:
    return CaseRow(scene, scene, role, recipe, failing, 0, 1)


def drawn(chance: float, seed: int, cases: int = 3) -> list[CaseRow]:
    rng = np.random.default_rng(seed)
    return [
        row(scene, str(n), bool(rng.random() < chance)) for scene in SCENES for n in range(cases)
    ]


def same(a: Sequence[CaseRow], b: Sequence[CaseRow]) -> tuple[int, int, int, int]:
    found = same_cases(a, b, SCENES)
    return found.both, found.only_a, found.only_b, found.neither


def test_who_fails_where_is_counted() -> None:
    a, b = drawn(0.3, 1), drawn(0.15, 2)
    pairs = [(x.failing, y.failing) for x, y in zip(a, b, strict=True)]
    found = same_cases(a, b, SCENES)
    assert (found.both, found.neither) == (pairs.count((True, True)), pairs.count((False, False)))
    only_a, only_b = pairs.count((True, False)), pairs.count((False, True))
    assert (found.only_a, found.only_b) == (only_a, only_b)
    assert found.difference is not None
    assert found.difference.value == pytest.approx((only_b - only_a) / 90)
    assert found.cases == 90


def test_cases_are_paired_by_recipe_and_not_by_their_order() -> None:
    a = [row("s0", "one", True), row("s0", "two", False)]
    b = [row("s0", "two", False), row("s0", "one", True)]
    assert same(a, b) == (1, 0, 0, 1)


def test_a_recipe_that_was_asked_twice_is_paired_in_turn() -> None:
    a = [row("s0", "one", True), row("s0", "one", False)]
    b = [row("s0", "one", True), row("s0", "one", True)]
    assert same(a, b) == (1, 0, 1, 0)


def test_another_scene_or_recipe_or_a_control_is_no_pair() -> None:
    a = [row("s0", "one", True), row("s1", "one", True), row("s2", "one", True, "control:x")]
    b = [row("s0", "two", True), row("s3", "one", True), row("s2", "one", True, "control:x")]
    found = same_cases(a, b, SCENES)
    assert found.cases == 0
    assert found.to_json()["difference"] is None


def test_no_difference_at_all_is_no_evidence() -> None:
    found = same_cases(drawn(0.3, 1), drawn(0.3, 1), SCENES)
    assert (found.only_a, found.only_b) == (0, 0)
    assert found.difference is not None
    assert found.difference.p == 1


def test_scenes_that_fail_whole_are_not_sold_as_many_cases() -> None:
    """Ten cases that fail together in each of two scenes: twenty cases would be sure."""
    sound = [row(scene, str(n), False) for scene in SCENES for n in range(10)]
    struck = [row(one.scene, one.recipe, one.scene in SCENES[:2]) for one in sound]
    found = same_cases(sound, struck, SCENES)
    assert found.difference is not None
    assert stats.binomtest(20, 20, 0.5).pvalue < 1e-5
    assert found.difference.p > 0.05
    assert found.difference.low < 0


def test_the_difference_is_b_less_a_and_controls_are_apart() -> None:
    a = [*drawn(0.1, 1), *(row(scene, "c", True, "control:x") for scene in SCENES)]
    b = [*drawn(0.6, 2), *(row(scene, "c", False, "control:x") for scene in SCENES)]
    tests = rate_pair(a, b, SCENES)
    rates = [np.mean([one.failing for one in rows if one.role == "test"]) for rows in (a, b)]
    assert (tests.a.value, tests.b.value) == pytest.approx(tuple(rates))
    assert tests.difference.value == pytest.approx(rates[1] - rates[0])
    assert tests.difference.low > 0
    controls = rate_pair(a, b, SCENES, controls=True)
    assert (controls.a.value, controls.b.value, controls.difference.value) == (1.0, 0.0, -1.0)
    assert (controls.a.cases, tests.a.cases) == (30, 90)
