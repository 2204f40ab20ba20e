"""Every failing insertion has its control, others have one with the chance that is recorded."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from snellen.changes.paste.insert import Insert
from snellen.changes.paste.patch import Patch
from snellen.contract.asked import Asked
from snellen.contract.questions import Answer, Question
from snellen.contract.verdict import CHANCE, TEST, Case, Status
from snellen.engine.budget import Budget, within
from snellen.methods.controlled_cases import (
    ControlDraws,
    ControlledCases,
    ask_with_controls,
    enough_for,
)
from snellen.methods.paste.paste_controls import PATCH_ROLE, SceneObstacles
from snellen.methods.planned_case import PlannedCase
from snellen.scenes.scene import PictureArray, Scene
from snellen.vision.detections import Detections
from tests.methods.robustness.scene_driver import driven

SIZE = (40, 80)
SCENE = Scene("scene", PictureArray(np.zeros((*SIZE, 3), np.uint8)), SIZE)
OBJECT = np.array([[0, 0, 6, 6]], np.float32)
BEFORE = Answer(Detections.empty())
Fails = Callable[[Insert], bool]


def planned(count: int) -> list[PlannedCase]:
    return [
        PlannedCase(Question(SCENE, Insert("o", n, 20, 4, 4)), facts={"n": float(n)})
        for n in range(count)
    ]


def asked(
    count: int,
    fails: Fails,
    *,
    share: float = 0.2,
    seed: int = 0,
    allowance: int | None = None,
    obstacles: np.ndarray = OBJECT,
) -> tuple[ControlledCases, list[Question]]:
    """The cases of tests of which these fail, and the questions that were answered."""
    answered: list[Question] = []

    def judge(one: Asked) -> Case:
        bad = isinstance(one.recipe, Insert) and fails(one.recipe)
        status = Status.FAILING if bad else Status.HOLDS
        after = one.after.prediction
        return Case(one.recipe, one.role, status, after, None, (), dict(one.facts), one.parent)

    def answer(question: Question) -> Answer:
        answered.append(question)
        return BEFORE

    rng = np.random.default_rng(seed)
    tests = planned(count)
    draws = ControlDraws.of(SceneObstacles(SCENE, OBJECT, obstacles), share, count, rng)
    worth = tests[::-1]
    work = ask_with_controls(tests, draws, BEFORE, judge, rng, worth=worth)
    return driven(within(work, Budget(allowance)), answer), answered


def of(found: ControlledCases, role: str) -> list[Case]:
    return [case for case in found.cases if case.role == role]


def uncontrolled(cases: Sequence[Case]) -> list[Case]:
    """Failing tests without a control."""
    parents = {case.parent for case in cases if case.role == PATCH_ROLE}
    return [
        case
        for number, case in enumerate(cases)
        if case.role == TEST and case.status == Status.FAILING and number not in parents
    ]


@settings(max_examples=150, deadline=None)
@given(
    st.integers(1, 60),
    st.integers(0, 2**32 - 1),
    st.floats(0, 1),
    st.none() | st.integers(0, 130),
)
def test_a_failing_test_always_has_its_control_whatever_the_budget(
    count: int, seed: int, rate: float, allowance: int | None
) -> None:
    bad = np.random.default_rng(seed).random(60) < rate
    found, questions = asked(count, lambda one: bool(bad[one.x]), seed=seed, allowance=allowance)
    assert not uncontrolled(found.cases)
    assert allowance is None or len(questions) <= allowance
    tests, controls = of(found, TEST), of(found, PATCH_ROLE)
    assert found.cases[: len(tests)] == tests, "a control's parent is the number of its test"
    assert [case.measurements["n"] for case in tests] == sorted(
        case.measurements["n"] for case in tests
    ), "in the order of the plan"
    for control in controls:
        assert control.parent is not None
        parent = found.cases[control.parent]
        assert isinstance(control.recipe, Patch)
        assert isinstance(parent.recipe, Insert)
        assert (control.recipe.x, control.recipe.y) == (parent.recipe.x, parent.recipe.y)
        failing = parent.status == Status.FAILING
        assert control.measurements[CHANCE] == (1.0 if failing else 0.2)
        assert control.measurements["n"] == parent.measurements["n"]
    if allowance is None:
        assert len(tests) == count


def test_holding_tests_have_a_control_with_the_recorded_chance() -> None:
    found = [asked(60, lambda _: False, seed=seed)[0] for seed in range(40)]
    drawn = sum(len(of(one, PATCH_ROLE)) for one in found)
    assert drawn == pytest.approx(0.2 * 60 * 40, abs=4 * np.sqrt(0.16 * 60 * 40))


def test_weighted_by_the_chance_controls_stand_for_all_tests() -> None:
    totals = [
        sum(1 / case.measurements[CHANCE] for case in of(one, PATCH_ROLE))
        for one in (asked(60, lambda one: one.x % 7 == 0, seed=seed)[0] for seed in range(60))
    ]
    assert np.mean(totals) == pytest.approx(60, rel=0.08)


def test_the_budget_takes_no_account_of_the_outcome() -> None:
    """A test that would be left out for failing would make a subject look better than it is."""
    kept = dict.fromkeys((True, False), 0)
    for seed in range(300):
        bad = np.random.default_rng(seed).random(60) < 0.5
        found, _ = asked(60, lambda one: bool(bad[one.x]), seed=seed, allowance=12)  # noqa: B023
        for case in of(found, TEST):
            kept[case.status == Status.FAILING] += 1
    share = kept[True] / sum(kept.values())
    assert share == pytest.approx(0.5, abs=4 * 0.5 / np.sqrt(sum(kept.values())))


def test_a_budget_of_two_questions_is_one_test() -> None:
    for fails in (True, False):
        found, _ = asked(9, lambda _: fails, allowance=2)  # noqa: B023
        assert len(of(found, TEST)) == 1
    assert not asked(9, lambda _: False, allowance=1)[0].cases


@pytest.mark.parametrize("share", [0.0, 0.2, 1.0])
def test_enough_questions_are_enough_even_if_all_fail(share: float) -> None:
    for count in range(1, 40):
        found, _ = asked(60, lambda _: True, share=share, allowance=enough_for(count, share))
        assert len(of(found, TEST)) >= count


def test_without_background_there_is_no_control_and_the_notes_say_so() -> None:
    everywhere = np.array([[0, 0, 80, 40]], np.float32)
    found, _ = asked(10, lambda one: one.x < 3, share=0.5, obstacles=everywhere)
    assert not of(found, PATCH_ROLE)
    assert 3 <= found.without_background <= 10
    assert found.notes == {"without_background": found.without_background}
    assert asked(10, lambda _: False)[0].notes == {}


def test_a_share_of_nothing_asks_no_controls_and_every_test_counts() -> None:
    found, questions = asked(30, lambda one: one.x < 9, share=0.0, allowance=20)
    assert len(of(found, TEST)) == len(found.cases) == len(questions) == 20


def test_one_check_is_asked_after_the_first_test() -> None:
    found, questions = asked(30, lambda _: False)
    assert sum(case.role.startswith("check:") for case in found.cases) == 1
    assert len(questions) == len(found.cases)
