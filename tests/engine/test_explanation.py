"""Explanations are asked in parallel after confirmation, within their share of the budget."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import ClassVar

import numpy as np
import pytest
from numpy.random import Generator

from snellen.contract.asked import Asked
from snellen.contract.explanation import UNEXPLAINED, Explaining, Explanation, Rung
from snellen.contract.method import Unit
from snellen.contract.questions import Answer, Question, Questions
from snellen.contract.verdict import PART, Case, Status, Verdict
from snellen.engine.explanation import explained_alone
from snellen.engine.seeds import finding_generator
from snellen.vision.detections import Detections
from tests.engine.scripted_method import (
    BOTH,
    LOST_CIRCLE,
    LOST_SQUARE,
    UNIT,
    Scripted,
    Tinted,
    drive,
    loses_circle,
)

NEITHER = Detections.empty()


def test_the_cases_of_an_explanation_stand_after_the_others_as_parts() -> None:
    run = drive(Scripted(count=2, causes=2), loses_circle)
    tests = [case for case in run.verdict.cases if case.role == "test"]
    parts = run.verdict.cases[2:]
    assert len(tests) == 2
    assert [case.role for case in parts] == [PART] * 4
    assert [case.parent for case in parts] == [0, 0, 1, 1]


def test_a_case_that_holds_or_is_flaky_is_not_explained() -> None:
    def first_fails_once(question: Question) -> Detections:
        recipe = question.recipe
        failing = isinstance(recipe, Tinted) and recipe.number == 0 and not question.repeat
        return LOST_CIRCLE if failing else BOTH

    run = drive(Scripted(count=2, causes=2), first_fails_once, steady=False)
    assert run.verdict.cases[0].status == Status.FLAKY
    assert max(run.numbers) < 1000


@pytest.mark.parametrize("allowance", range(3, 40))
def test_explanation_keeps_the_budget(allowance: int) -> None:
    run = drive(Scripted(count=10, causes=3), loses_circle, allowance=allowance)
    assert len(run.asked) <= allowance
    tests = sum(case.role == "test" for case in run.verdict.cases)
    assert tests >= 1


def test_the_conclusion_sees_what_was_found_and_what_was_not_reached() -> None:
    seen: dict[int, Explanation] = {}

    class Concluding(Scripted):
        def examine(self, unit: Unit, rng: Generator) -> Questions:
            verdict = yield from super().examine(unit, rng)

            def conclude(cases: Sequence[Case], explanations: Mapping[int, Explanation]) -> Verdict:
                seen.update(explanations)
                return Verdict(tuple(cases))

            return Verdict(verdict.cases, conclude=conclude)

    drive(Concluding(count=6, causes=3), loses_circle, allowance=15)
    assert set(seen) == set(range(6))
    assert {one.cause for one in seen.values()} == {"tint", UNEXPLAINED}
    seen.clear()
    drive(Concluding(count=2, causes=3), loses_circle)
    assert [one.cause for one in seen.values()] == ["tint", "tint"]


def test_findings_of_one_unit_on_the_same_object_strike_the_same_thing() -> None:
    method = Scripted(count=2)
    struck = drive(method, loses_circle).verdict.struck
    assert set(struck) == {0, 1}
    assert struck[0] == struck[1]
    assert [one.key for one in struck[0]] == ["object circle"]


class Sparing(Scripted):
    """Explains at most two findings of a target, and proves those in `proves`."""

    proves: ClassVar[set[int]] = set()

    @property
    def explained_findings(self) -> int | None:
        return 2

    def explain(self, case: Case, unit: Unit, rng: Generator) -> Explaining:
        found = yield from super().explain(case, unit, rng)
        assert isinstance(case.recipe, Tinted)
        return replace(found, proven=case.recipe.number in self.proves)


def test_findings_of_a_target_are_explained_until_one_is_proven() -> None:
    class First(Sparing):
        proves: ClassVar[set[int]] = {0}

    assert list(drive(First(count=4, causes=2), loses_circle).verdict.explanations) == [0]
    assert list(drive(Sparing(count=4, causes=2), loses_circle).verdict.explanations) == [0, 1]
    every = drive(Scripted(count=4, causes=2), loses_circle).verdict.explanations
    assert list(every) == [0, 1, 2, 3], "a method that wants all of them"


class AboutCircle(Sparing):
    """Proves that the circle is struck, whatever else is."""

    def explain(self, case: Case, unit: Unit, rng: Generator) -> Explaining:
        found = yield from super().explain(case, unit, rng)
        circle = tuple(one for one in case.events if one.label == 0)
        if not circle:
            return replace(found, proven=True)
        square = Explanation("square", about=tuple(set(case.events) - set(circle)))
        others = (square,) * (case.recipe == Tinted(2))
        return replace(found, proven=True, about=circle, others=others)


def test_proof_of_one_target_leaves_the_others_of_its_finding_to_be_explained() -> None:
    """The first two findings lose both objects, the third loses both and says something of each."""
    run = drive(AboutCircle(count=3, causes=1), lambda one: NEITHER if _changed(one) else BOTH)
    causes = run.verdict.causes
    assert [one.key for one in run.verdict.struck[0]] == ["object circle", "object square"]
    assert [(one.cause, one.proven) for one in causes[0]] == [("tint", True), (UNEXPLAINED, False)]
    assert list(run.verdict.explanations) == [0, 1], "the square is still to be explained"
    every = drive(All(count=3, causes=1), lambda one: NEITHER if _changed(one) else BOTH)
    assert [one.cause for one in every.verdict.causes[2]] == ["tint", "square"]


def test_another_finding_explains_what_the_first_did_not() -> None:
    def answer(question: Question) -> Detections:
        if not isinstance(question.recipe, Tinted):
            return BOTH
        return NEITHER if question.recipe.number % 1000 == 0 else LOST_SQUARE

    run = drive(AboutCircle(count=4, causes=1), answer)
    assert list(run.verdict.explanations) == [0, 1]
    [square] = run.verdict.causes[1]
    assert square.proven


def test_a_target_that_is_proven_is_not_explained_again_beside_another() -> None:
    """Every finding loses both objects; what the second one shows is about the square alone."""
    seen: list[list[int]] = []

    class OneByOne(Sparing):
        proves: ClassVar[set[int]] = {0, 1}

        def explain(self, case: Case, unit: Unit, rng: Generator) -> Explaining:
            seen.append([one.label for one in case.events])
            found = yield from super().explain(case, unit, rng)
            circle = tuple(one for one in case.events if one.label == 0)
            return replace(found, about=circle)

    run = drive(OneByOne(count=3, causes=1), lambda one: NEITHER if _changed(one) else BOTH)
    assert seen == [[0, 1], [1]]
    proven = {number: [one.proven for one in found] for number, found in run.verdict.causes.items()}
    assert proven == {0: [True, False], 1: [False, True]}


class All(AboutCircle):
    """Explains every finding."""

    @property
    def explained_findings(self) -> int | None:
        return None


def _changed(question: Question) -> bool:
    return isinstance(question.recipe, Tinted)


def test_a_new_object_whose_box_trembles_is_one_target_and_another_place_a_second() -> None:
    def appears(question: Question) -> Detections:
        if not isinstance(question.recipe, Tinted):
            return BOTH
        number = question.recipe.number % 1000
        x = 2.0 + 0.5 * number if number < 3 else 20.0
        boxes = np.vstack([BOTH.boxes, [(x, 2.0 if x == 20 else 22.0, x + 12, 34.0)]])
        return Detections(boxes.astype(np.float32), np.array([0, 1, 0]), np.full(3, 0.9))

    class First(Sparing):
        proves: ClassVar[set[int]] = {0, 3}

    assert list(drive(First(count=5, causes=1), appears).verdict.explanations) == [0, 3]


def test_within_a_budget_the_worst_findings_are_explained_in_full() -> None:
    run = drive(Scripted(count=6, causes=3), loses_circle, allowance=13)
    causes = [one.cause for one in run.verdict.explanations.values()]
    assert causes[0] == "tint"
    assert causes[-1] == UNEXPLAINED


def test_a_finding_explained_later_gets_the_same_randomness() -> None:
    unit = np.random.default_rng(3)
    first = finding_generator(unit, Tinted(1)).integers(10**9)
    unit.random(100)
    assert finding_generator(unit, Tinted(1)).integers(10**9) == first
    assert finding_generator(unit, Tinted(2)).integers(10**9) != first


def test_a_finding_explained_by_hand_gets_the_questions_of_the_run() -> None:
    class Drawing(Scripted):
        def explain(self, case: Case, unit: Unit, rng: Generator) -> Explaining:
            recipe = Tinted(int(rng.integers(10**6, 10**9)))
            [answer] = yield [Question(unit.scene, recipe)]
            part = self.judge(Asked(unit.scene, recipe, answer, Answer(BOTH)))
            return Explanation("tint", (Rung("drawn", part, persists=True),))

    method = Drawing(count=2, causes=1)
    run = drive(method, loses_circle)
    for number in range(2):
        rng = np.random.default_rng(1)  # the one of `drive`
        asking = explained_alone(method, UNIT, run.verdict.cases[number], rng)
        [question] = next(asking)
        with pytest.raises(StopIteration) as end:
            asking.send([Answer(LOST_CIRCLE)])
        rung = run.verdict.explanations[number].rungs[0]
        assert question.recipe == rung.case.recipe
        verdict = end.value.value
        assert [case.role for case in verdict.cases] == ["test", PART]
        assert verdict.explanations[0].rungs[0].case is verdict.cases[1]
