"""Explanation: counterfactual questions about the failures of a unit, asked in parallel."""

from __future__ import annotations

from collections.abc import Generator, Mapping, Sequence

from numpy.random import Generator as Randomness

from snellen.contract.explanation import Explaining, Explanation
from snellen.contract.method import Method, Unit
from snellen.contract.questions import Answer, BudgetSpentError, Question
from snellen.contract.verdict import TEST, Case, Status

Found = dict[int, Explanation]


def explained(
    method: Method, unit: Unit, cases: Sequence[Case], rng: Randomness
) -> Generator[list[Question], Sequence[Answer], Found]:
    """The explanation of every failing test, by its number.

    One step of each is asked at a time. A question shared by several is asked once. When the budget
    ends, the pending explanations get `BudgetSpentError`.
    """
    work = {
        number: method.explain(case, unit, rng)
        for number, case in enumerate(cases)
        if case.role == TEST and case.status == Status.FAILING
    }
    found: Found = {}
    waiting = {number: _step(one, None, number, found) for number, one in work.items()}
    while waiting := {number: asked for number, asked in waiting.items() if asked}:
        unique = {_key(one): one for asked in waiting.values() for one in asked}
        try:
            answers = yield list(unique.values())
        except BudgetSpentError:
            answers = ()
        answered = dict(zip(unique, answers, strict=False))
        waiting = {
            number: _step(work[number], _answers(asked, answered), number, found)
            for number, asked in waiting.items()
        }
    return {number: found[number] for number in sorted(found)}


def _key(question: Question) -> tuple[str, tuple[str, ...], int, int]:
    return question.recipe.digest, question.measures, question.repeat, question.draw


def _answers(
    asked: Sequence[Question], answered: Mapping[tuple[str, tuple[str, ...], int, int], Answer]
) -> list[Answer] | BudgetSpentError:
    """The answers to these questions, or an error if the budget did not cover all of them."""
    if not all(_key(one) in answered for one in asked):
        return BudgetSpentError("the budget is spent")
    return [answered[_key(one)] for one in asked]


def _step(
    work: Explaining, answers: list[Answer] | BudgetSpentError | None, number: int, found: Found
) -> list[Question]:
    """The next questions of an explanation; none when it has ended and is in `found`."""
    try:
        while True:
            if answers is None:
                asked = list(next(work))
            elif isinstance(answers, BudgetSpentError):
                asked = list(work.throw(answers))
            else:
                asked = list(work.send(answers))
            if asked:
                return asked
            answers = []
    except StopIteration as end:
        found[number] = end.value
    except BudgetSpentError:
        found[number] = Explanation()
    return []
