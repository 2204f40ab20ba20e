"""Failures of a non-deterministic subject are asked again; what does not repeat is flaky."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from snellen.changes.identity import Identity
from snellen.contract.questions import Question
from snellen.contract.verdict import Status
from snellen.vision.detections import Detections
from tests.engine.scripted_method import (
    BOTH,
    LOST_CIRCLE,
    LOST_SQUARE,
    Scripted,
    Tinted,
    drive,
    loses_circle,
)


def statuses(answer: Callable[[Question], Detections], repeats: int = 1) -> list[Status]:
    run = drive(Scripted(count=3, repeats=repeats), answer, steady=False)
    return [case.status for case in run.verdict.cases]


def test_a_failure_that_repeats_is_confirmed() -> None:
    assert statuses(loses_circle) == [Status.FAILING] * 3


def test_a_case_that_holds_when_asked_again_is_flaky() -> None:
    def once(question: Question) -> Detections:
        return LOST_CIRCLE if isinstance(question.recipe, Tinted) and not question.repeat else BOTH

    assert statuses(once) == [Status.FLAKY] * 3


def test_a_case_that_fails_in_another_way_when_asked_again_is_flaky() -> None:
    def other(question: Question) -> Detections:
        if not isinstance(question.recipe, Tinted):
            return BOTH
        return LOST_SQUARE if question.repeat else LOST_CIRCLE

    assert statuses(other) == [Status.FLAKY] * 3


def test_a_scene_that_is_answered_otherwise_makes_its_failures_flaky() -> None:
    """The circle was never lost by the change: the scene itself shows it only now and then."""

    def unsteady_scene(question: Question) -> Detections:
        if isinstance(question.recipe, Identity):
            return LOST_CIRCLE if question.repeat else BOTH
        return LOST_CIRCLE

    assert statuses(unsteady_scene) == [Status.FLAKY] * 3


def test_every_repetition_must_fail() -> None:
    def second_time(question: Question) -> Detections:
        holds = question.repeat and question.repeat % 2
        return BOTH if holds or isinstance(question.recipe, Identity) else LOST_CIRCLE

    assert statuses(second_time, repeats=2) == [Status.FLAKY] * 3


def test_a_steady_subject_is_asked_once() -> None:
    run = drive(Scripted(count=3), loses_circle, steady=True)
    assert not any(question.repeat for question in run.asked)


@pytest.mark.parametrize("repeats", [1, 2, 3])
def test_scene_and_failures_are_asked_as_often_as_the_method_says(repeats: int) -> None:
    run = drive(Scripted(count=3, repeats=repeats), loses_circle, steady=False)
    assert sum(question.repeat > 0 for question in run.asked) == 4 * repeats


@pytest.mark.parametrize("allowance", range(2, 40))
@pytest.mark.parametrize("repeats", [1, 2])
def test_confirmation_never_overspends_and_what_it_does_not_reach_is_unconfirmed(
    allowance: int, repeats: int
) -> None:
    method = Scripted(count=20, repeats=repeats)
    run = drive(method, loses_circle, allowance=allowance, steady=False)
    assert len(run.asked) <= allowance
    repeated = sum(question.repeat > 0 for question in run.asked)
    confirmed = sum(case.status == Status.FAILING for case in run.verdict.cases)
    assert confirmed == max(0, repeated // repeats - 1)
    open_ones = sum(case.status == Status.UNCONFIRMED for case in run.verdict.cases)
    assert confirmed + open_ones == len(run.verdict.cases)


def test_a_part_of_the_budget_is_kept_for_confirmation() -> None:
    run = drive(Scripted(count=100), loses_circle, allowance=40, steady=False)
    confirmed = [case for case in run.verdict.cases if case.status == Status.FAILING]
    assert len(confirmed) >= 10
