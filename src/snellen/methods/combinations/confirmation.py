"""Confirmation: a failure of a subject that may be unsteady is asked again."""

from __future__ import annotations

from collections.abc import Generator as Yielding
from collections.abc import Sequence
from dataclasses import replace

from snellen.changes.compose.compose import Compose
from snellen.contract.questions import Answer, Question
from snellen.contract.verdict import Case, Status
from snellen.methods.combinations.relation import CombinationsRelation
from snellen.scenes.scene import Scene
from snellen.vision.label_vector import LabelVector


def confirmed(
    scene: Scene, judge: CombinationsRelation, cases: list[Case], times: int, left: int | None
) -> Yielding[list[Question], Sequence[Answer], tuple[list[Case], int | None]]:
    """The cases, failures that do not repeat every time turned flaky; what is left of the budget.

    A failure that the budget can't confirm is flaky too.
    """
    failing = [n for n, case in enumerate(cases) if case.status == Status.FAILING]
    asked = failing if left is None else failing[: left // times]
    questions = [
        Question(scene, cases[n].recipe, repeat=number)
        for n in asked
        for number in range(1, times + 1)
    ]
    answers: Sequence[Answer] = (yield questions) if questions else ()
    out = list(cases)
    for place, n in enumerate(failing):
        again = answers[times * place : times * (place + 1)] if place < len(asked) else ()
        if not again or not all(_fails(judge, cases[n], one) for one in again):
            out[n] = replace(cases[n], status=Status.FLAKY)
    return out, None if left is None else left - len(questions)


def _fails(judge: CombinationsRelation, case: Case, answer: Answer) -> bool:
    assert isinstance(case.recipe, Compose)
    assert isinstance(case.before, LabelVector)
    again = judge.case(case.recipe, case.before, answer.prediction, case.role)
    return again.status == Status.FAILING
