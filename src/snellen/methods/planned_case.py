"""Cases that a method plans, asks in order of worth, and judges where it got an answer."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Generator, Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeVar

from snellen.contract.asked import Asked
from snellen.contract.questions import Answer, Question
from snellen.contract.verdict import TEST, Case

Item = TypeVar("Item")


NOTHING_DETECTED = "had no detected object"
NO_OBJECT = "had no suitable object to insert"
NO_ROOM = "had no room"
NO_PLACE = "had only things that hang or are held; `footing: anywhere` inserts them"
NO_BUDGET = "were cut off by the budget"
"""Why a scene has no tests, as the end of a sentence such as `28 scenes had no room`."""


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
