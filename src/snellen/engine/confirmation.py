"""Confirmation: a failure of a non-deterministic subject is asked again.

Scene and case are both asked again, and the method judges them. A failure is confirmed if,
every time, the scene gets the same answer and the case fails with the same hard events. Otherwise
the finding is flaky. One that the budget does not cover is unconfirmed: nothing is known of how the
subject would answer again.
"""

from __future__ import annotations

from collections.abc import Generator, Sequence
from dataclasses import replace

from snellen.changes.recipe import Recipe
from snellen.contract.asked import Asked
from snellen.contract.method import Method, Unit
from snellen.contract.questions import Answer, BudgetSpentError, Question
from snellen.contract.verdict import BASELINE, CHECK, PART, Case, Status

FIRST_REPEAT = 1000
"""Repeats from here on are confirmations; lower numbers belong to the identity control."""
Confirming = Generator[list[Question], Sequence[Answer], list[Case]]


def confirmed(method: Method, unit: Unit, cases: Sequence[Case], limit: int | None) -> Confirming:
    """The cases, with failures that do not repeat marked flaky, and those not asked unconfirmed.

    limit: of questions; None for no limit.
    """
    failing = [
        number
        for number, case in enumerate(cases)
        if case.status == Status.FAILING and case.role not in (BASELINE, PART)
    ]
    repeats = range(FIRST_REPEAT, FIRST_REPEAT + method.confirmations)
    asked = failing[: _affordable(method, len(failing), limit)]
    questions = [
        Question(unit.scene, recipe, repeat=repeat)
        for recipe in _recipes(method, [cases[number] for number in asked])
        for repeat in repeats
    ]
    try:
        answers: Sequence[Answer] = (yield questions) if asked else ()
    except BudgetSpentError:
        asked, answers = [], ()
    rows = [answers[start : start + len(repeats)] for start in range(0, len(answers), len(repeats))]
    scene: Sequence[Answer | None] = [None] * len(repeats)
    if asked and method.baseline is not None:
        scene = rows.pop(0)
    found = dict.fromkeys(failing, Status.UNCONFIRMED)
    for number, again in zip(asked, rows, strict=True):
        repeats_itself = all(
            _repeats(method, unit, cases[number], before, after)
            for before, after in zip(scene, again, strict=True)
        )
        found[number] = Status.FAILING if repeats_itself else Status.FLAKY
    return [
        replace(case, status=found.get(number, case.status)) for number, case in enumerate(cases)
    ]


def _affordable(method: Method, failing: int, limit: int | None) -> int:
    """How many failures can be asked again: each takes its repeats, and so does the scene."""
    if limit is None:
        return failing
    return max(0, min(failing, limit // method.confirmations - (method.baseline is not None)))


def _recipes(method: Method, cases: Sequence[Case]) -> list[Recipe]:
    baseline = [] if method.baseline is None or not cases else [method.baseline]
    return [*baseline, *(case.recipe for case in cases)]


def _repeats(method: Method, unit: Unit, case: Case, before: Answer | None, after: Answer) -> bool:
    """Whether the scene gets the same answer, and the case fails in the same way."""
    if before is not None and not _scene_holds(method, unit, case, before):
        return False
    again = method.judge(Asked.again(case, unit.scene, after.prediction, case.before))
    return again.status == Status.FAILING and _hard(again) == _hard(case)


def _scene_holds(method: Method, unit: Unit, case: Case, before: Answer) -> bool:
    """Whether the method's relation holds between two answers about the unchanged scene."""
    assert method.baseline is not None
    assert case.before is not None
    repeated = Asked(
        unit.scene,
        method.baseline,
        before,
        Answer(case.before),
        role=f"{CHECK}identity",
        facts=case.measurements,
        earlier=case,
    )
    return method.judge(repeated).status != Status.FAILING


def _hard(case: Case) -> set[tuple[str, int, int | None]]:
    """The hard events of a case, by kind, label and the object of the scene that they strike."""
    return {
        (event.kind, event.label, event.before) for event in case.events if event.severity == "hard"
    }
