"""A budget in questions: divided among the units before the run, and enforced while a unit asks."""

from __future__ import annotations

from collections.abc import Generator, Sequence
from typing import TypeAlias, TypeVar

import numpy as np

from snellen.contract.questions import Answer, BudgetSpentError, Question

CONFIRMATION_SHARE = 0.3
"""The share of a unit's budget reserved for confirmation, if the subject may be flaky."""
EXPLANATION_SHARE = 0.3
"""The share of a unit's budget reserved for explanation, if the method explains."""
Found = TypeVar("Found")
Asking: TypeAlias = Generator[Sequence[Question], Sequence[Answer], Found]
"""A generator of questions, with any return value."""


def allowances(units: int, questions: int | None, minimum: int) -> list[int | None]:
    """How many questions each unit may ask; 0 skips a unit, None is no limit.

    Dividing beforehand makes the order of units irrelevant. A budget too small for all gives
    `minimum` or more to as many units as it covers, spread evenly over the set.

    >>> allowances(3, 10, 2), allowances(4, 5, 2), allowances(2, None, 2)
    ([4, 3, 3], [3, 0, 0, 2], [None, None])
    """
    if questions is None:
        return [None] * units
    reached = min(units, questions // minimum)
    out: list[int | None] = [0] * units
    if reached:
        share, rest = divmod(questions, reached)
        for place, unit in enumerate(np.linspace(0, units - 1, reached).round().astype(int)):
            out[unit] = share + (place < rest)
    return out


class Budget:
    """The questions that a unit may still ask. allowance: in all; None is no limit."""

    def __init__(self, allowance: int | None) -> None:
        self._allowance = allowance
        self._spent = self._reserved = 0

    def reserve(self, share: float) -> None:
        """Reserve this share of the allowance for later."""
        self._reserved = 0 if self._allowance is None else int(share * self._allowance)

    @property
    def left(self) -> int | None:
        """What may be asked now, None for no limit."""
        if self._allowance is None:
            return None
        return max(0, self._allowance - self._spent - self._reserved)

    def granted(self, asked: list[Question]) -> list[Question]:
        """Spend the budget on the first of these questions; those that it covers."""
        granted = asked[: self.left]
        self._spent += len(granted)
        return granted


def within(questions: Asking[Found], budget: Budget) -> Asking[Found]:
    """The same generator, with answers to no more questions than the budget covers.

    Where the budget ends among the questions of one step, the first of them are answered; the next
    step raises `BudgetSpentError` in the generator, as does running out of time.
    """
    try:
        asked = list(next(questions))
        while True:
            granted = budget.granted(asked)
            if asked and not granted:
                return _stopped(questions, BudgetSpentError("the budget is spent"))
            try:
                answers = yield granted
            except BudgetSpentError as spent:
                return _stopped(questions, spent)
            asked = list(questions.send(answers))
    except StopIteration as end:
        found: Found = end.value
        return found


def _stopped(questions: Asking[Found], spent: BudgetSpentError) -> Found:
    """What a generator returns at the end of its budget; its error where it does not catch it."""
    try:
        questions.throw(spent)
    except StopIteration as end:
        found: Found = end.value
        return found
    raise RuntimeError("a method asked more questions after its budget was spent")
