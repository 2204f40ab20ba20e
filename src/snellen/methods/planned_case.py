"""Cases that a method plans, asks in order of worth, and judges where it got an answer."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Generator, Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeVar

from snellen.contract.asked import Asked
from snellen.contract.questions import Answer, BudgetSpentError, Question
from snellen.contract.verdict import TEST, Case

Item = TypeVar("Item")


@dataclass(frozen=True, eq=False)
class PlannedCase:
    """A planned case. facts: measurements known in advance."""

    question: Question
    role: str = TEST
    facts: Mapping[str, float] = field(default_factory=dict)

    def asked(self, before: Answer | None, after: Answer, parent: int | None = None) -> Asked:
        """The case with its answers; parent: the number of the case it was derived from."""
        question = self.question
        return Asked(question.scene, question.recipe, after, before, self.role, self.facts, parent)


def ask_and_judge(
    tests: Sequence[PlannedCase],
    controls: Sequence[PlannedCase],
    before: Answer | None,
    judge: Callable[[Asked], Case],
    *,
    worth: Sequence[PlannedCase] | None = None,
) -> Generator[list[Question], Sequence[Answer], list[Case]]:
    """The answered tests, then the answered controls, each judged, in the order of the plan.

    worth: the tests in order of worth, if different. Controls are spread among the tests, so that
    both get their share when the budget ends early.
    """
    order = mixed(tests if worth is None else worth, controls)
    answers = yield [one.question for one in order]
    answered = {id(one): answer for one, answer in zip(order, answers, strict=False)}
    return [
        judge(one.asked(before, answered[id(one)]))
        for one in [*tests, *controls]
        if id(one) in answered
    ]


def beside(
    search: Generator[list[Question], Sequence[Answer], Item],
    controls: Sequence[PlannedCase],
    tests: int,
) -> Generator[list[Question], Sequence[Answer], tuple[Item, list[tuple[PlannedCase, Answer]]]]:
    """What a search returns, and the answered controls, which are asked along with it.

    tests: how many questions the search asks if nothing stops it. Controls are spread evenly among
    them, so that both get their share when the budget ends early.
    """
    step, asked, answered = tests / max(1, len(controls)), 0, list[tuple[PlannedCase, Answer]]()
    left = list(controls)
    try:
        questions = next(search)
        while True:
            asked += len(questions)
            due = [one for k, one in enumerate(controls) if one in left and (k + 1) * step <= asked]
            left = [one for one in left if one not in due]
            answers = yield [*questions, *(one.question for one in due)]
            answered += zip(due, answers[len(questions) :], strict=False)
            questions = search.send(answers[: len(questions)])
    except BudgetSpentError as spent:
        return _ended(search, spent), answered
    except StopIteration as end:
        found: Item = end.value
    try:
        answers = (yield [one.question for one in left]) if left else ()
    except BudgetSpentError:
        answers = ()
    return found, [*answered, *zip(left, answers, strict=False)]


def _ended(search: Generator[Any, Any, Item], spent: BudgetSpentError) -> Item:
    """What a search returns when its budget is spent."""
    try:
        search.throw(spent)
    except StopIteration as end:
        found: Item = end.value
        return found
    raise RuntimeError("a search kept asking after its budget was spent")


def in_turn(items: Sequence[Item], group: Callable[[Item], Hashable]) -> list[Item]:
    """The items reordered so that each group has its first one before any has its second.

    >>> in_turn(["a1", "a2", "a3", "b1", "b2"], lambda item: item[0])
    ['a1', 'b1', 'a2', 'b2', 'a3']
    """
    turns: defaultdict[Hashable, int] = defaultdict(int)
    keyed = []
    for place, item in enumerate(items):
        key = group(item)
        keyed.append((turns[key], place))
        turns[key] += 1
    return [items[place] for _, place in sorted(keyed)]


def mixed(tests: Sequence[Item], controls: Sequence[Item]) -> list[Item]:
    """The controls spread evenly among the tests, a test first.

    >>> mixed([1, 2, 3, 4], ["a", "b"])
    [1, 2, 'a', 3, 4, 'b']
    """
    step = len(tests) / len(controls) if controls else 0.0
    placed = [((place + 1) * step, 1, place, one) for place, one in enumerate(controls)]
    placed += [(place + 1.0, 0, place, one) for place, one in enumerate(tests)]
    return [one for *_, one in sorted(placed, key=lambda item: item[:3])]
