"""Explanation: counterfactual questions about the failures of a unit, asked in parallel."""

from __future__ import annotations

from collections.abc import Generator as Yielding
from collections.abc import Mapping, Sequence
from dataclasses import replace

from numpy.random import Generator

from snellen.contract.explanation import Explaining, Explanation
from snellen.contract.fault_target import is_among
from snellen.contract.method import Method, Unit
from snellen.contract.questions import Answer, BudgetSpentError, Question, Questions
from snellen.contract.verdict import Case, Status, Verdict, is_test
from snellen.engine.seeds import finding_generator
from snellen.engine.target_causes import FindingTargets
from snellen.vision.events import Severity

Found = dict[int, Explanation]


def explained(
    method: Method,
    unit: Unit,
    targets: FindingTargets,
    rng: Generator,
    *,
    together: bool = True,
) -> Yielding[list[Question], Sequence[Answer], Found]:
    """The explanations of failing tests, by their number.

    targets: what the findings among the cases strike. Of those on one target the worst is explained
    first, then the next as long as the target is not proven, as many as the method says; these are
    explained without the events whose targets are proven. together: one step of each is asked at a
    time; otherwise, and so within a budget, one is explained after the other, so that the worst are
    explained in full. A question shared by several is asked once. When the budget ends, the pending
    explanations get `BudgetSpentError`.
    """
    found: Found = {}
    most, turn, spent = method.explained_findings, 0, False
    while not spent and (chosen := _next(targets, found, most, turn)):
        proven = targets.proven(found)
        cases = {number: targets.without(number, proven) for number in chosen}
        work = {
            number: method.explain(case, unit, finding_generator(rng, case.recipe))
            for number, case in cases.items()
        }
        try:
            for numbers in [chosen] if together else [[number] for number in chosen]:
                yield from _driven({number: work[number] for number in numbers}, found)
        except BudgetSpentError as end:
            spent = True
            for number in chosen:
                if number not in found:
                    _step(work[number], end, number, found)
        found |= {number: _about(case, found[number]) for number, case in cases.items()}
        turn += 1
    return {number: found[number] for number in sorted(found)}


def _about(case: Case, explanation: Explanation) -> Explanation:
    """An explanation, about the events that the case was given with if it names none."""
    return replace(explanation, about=explanation.about or case.events)


def explained_alone(method: Method, unit: Unit, case: Case, rng: Generator) -> Questions:
    """A generator that explains one finding of a unit; its verdict has the case and its parts.

    rng: the unit's, as in the run, so that the same questions are asked.
    """
    generator = finding_generator(rng, case.recipe)
    explanation = yield from method.explain(case, unit, generator)
    return Verdict((case,)).concluded(None, {0: explanation})


def _next(targets: FindingTargets, found: Found, most: int | None, turn: int) -> list[int]:
    """The findings to explain in this turn, worst first: one for each target not yet proven.

    All in the first turn if `most` is None; none after `most` turns.
    """
    failing = [
        number
        for number, case in enumerate(targets.cases)
        if is_test(case.role) and case.status == Status.FAILING and number not in found
    ]
    if most is None:
        return failing if turn == 0 else []
    if turn >= most:
        return []
    done = targets.proven(found)
    chosen = list[int]()
    for number in sorted(failing, key=lambda number: -_margin(targets.cases[number])):
        struck = targets.struck.get(number, ())
        new = [one for one in struck if not is_among(one, done)]
        if new or (not struck and turn == 0):
            chosen.append(number)
            done += new
    return chosen


def _margin(case: Case) -> float:
    """The largest margin of its hard events, 0 without any."""
    return max((one.margin for one in case.events if one.severity == Severity.HARD), default=0.0)


def _driven(
    work: Mapping[int, Explaining], found: Found
) -> Yielding[list[Question], Sequence[Answer], None]:
    """Ask one step of each at a time, until all have ended and are in `found`."""
    waiting = {number: _step(one, None, number, found) for number, one in work.items()}
    while waiting := {number: asked for number, asked in waiting.items() if asked}:
        unique = {_key(one): one for asked in waiting.values() for one in asked}
        answers = yield list(unique.values())
        answered = dict(zip(unique, answers, strict=False))
        waiting = {
            number: _step(work[number], _answers(asked, answered), number, found)
            for number, asked in waiting.items()
        }


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
