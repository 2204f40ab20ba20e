"""Insertions with their controls: a patch for each that fails and for a known share of the others.

Tests are asked in portions that grow, each followed by the controls that it is owed. A budget must
not separate a failing test from its control, so a portion counts only if as many questions after it
were answered as it has tests, whatever their outcome; what the budget cuts off is left out.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from collections.abc import Generator as Yielding
from dataclasses import dataclass, field

from numpy.random import Generator

from snellen.changes.paste.insert import Insert
from snellen.contract.asked import Asked
from snellen.contract.questions import Answer, BudgetSpentError, Question
from snellen.contract.verdict import CHANCE, Case, Status
from snellen.methods.paste.paste_controls import PATCH_ROLE, SceneObstacles, drawn_check
from snellen.methods.planned_case import PlannedCase, ask_and_judge
from snellen.vision.arrays import F64

LARGEST = 16
"""The most tests in a portion."""
GROWTH = 3
"""A portion has at most one test for this many asked before it, and at least one."""


@dataclass(frozen=True, eq=False)
class ControlDraws:
    """Which tests of a scene get a control if they hold, drawn before any is asked.

    share: the chance. coins, sources: (N,) uniform from 0 up to 1, for each test.
    """

    around: SceneObstacles
    share: float
    coins: F64
    sources: F64

    @classmethod
    def of(cls, around: SceneObstacles, share: float, tests: int, rng: Generator) -> ControlDraws:
        """The draws for a number of tests."""
        return cls(around, share, rng.random(tests), rng.random(tests))

    def chance(self, case: Case) -> float:
        """The chance with which a judged test gets a control."""
        return 1.0 if case.status == Status.FAILING else self.share

    def control(self, number: int, test: PlannedCase, case: Case) -> PlannedCase | None:
        """The patch at the place of a judged test; None if the scene has no background for it."""
        recipe = test.question.recipe
        assert isinstance(recipe, Insert)
        patch = self.around.patch(recipe, float(self.sources[number]))
        if patch is None:
            return None
        facts = {**test.facts, CHANCE: self.chance(case)}
        return PlannedCase(Question(self.around.scene, patch), PATCH_ROLE, facts)


@dataclass(frozen=True, eq=False)
class ControlledCases:
    """The judged tests in the order of the plan, then their controls, then a check.

    without_background: tests that were to get a control, but the scene has no background for it.
    spent: whether the budget is spent, so that nothing more may be asked.
    """

    cases: list[Case]
    without_background: int = 0
    spent: bool = False

    @property
    def notes(self) -> dict[str, int]:
        """What the notes of a unit say about missing controls."""
        return {"without_background": self.without_background} if self.without_background else {}


@dataclass(eq=False)
class _Portion:
    """Judged tests and the controls that they are owed, by the numbers of the tests."""

    tests: dict[int, Case] = field(default_factory=dict)
    owed: dict[int, PlannedCase | None] = field(default_factory=dict)

    @property
    def controls(self) -> dict[int, PlannedCase]:
        """Those for which there is background."""
        return {number: one for number, one in self.owed.items() if one is not None}


def ask_with_controls(
    tests: Sequence[PlannedCase],
    draws: ControlDraws,
    before: Answer,
    judge: Callable[[Asked], Case],
    rng: Generator,
    *,
    worth: Sequence[PlannedCase],
) -> Yielding[list[Question], Sequence[Answer], ControlledCases]:
    """The answered insertions of a scene with their controls and one check, judged.

    worth: the tests in order of worth. A share of 0 asks neither controls nor checks.
    """
    if not tests or draws.share == 0:
        cases = yield from ask_and_judge(tests, (), before, judge, worth=worth)
        return ControlledCases(cases)
    numbers = {id(one): number for number, one in enumerate(tests)}
    recipe = worth[0].question.recipe
    assert isinstance(recipe, Insert)
    check = drawn_check(draws.around, recipe, worth[0].facts, rng)
    asking = _Asking(tests, draws, before, judge)
    yield from asking.ask([numbers[id(one)] for one in worth], check)
    return asking.gathered()


@dataclass(eq=False)
class _Asking:
    """Asks the tests of a scene.

    kept: those that count. patched, checked: the answers to their controls, and checks. spent:
    whether the budget is.
    """

    tests: Sequence[PlannedCase]
    draws: ControlDraws
    before: Answer
    judge: Callable[[Asked], Case]
    kept: _Portion = field(default_factory=_Portion)
    patched: dict[int, Answer] = field(default_factory=dict)
    checked: list[Case] = field(default_factory=list)
    spent: bool = False

    def ask(
        self, order: Sequence[int], check: PlannedCase
    ) -> Yielding[list[Question], Sequence[Answer], None]:
        """Ask the tests in this order, portion by portion, and the check after the first."""
        last, waiting, done = _Portion(), list[PlannedCase](), 0
        while True:
            numbers = order[done : done + self._size(done)]
            asked = [*last.controls.values(), *waiting, *(self.tests[n] for n in numbers)]
            answers = yield from self._answered(asked)
            if len(answers) < max(len(last.controls), min(len(last.tests), len(asked))):
                return
            rest = self._keep(last, waiting, answers)
            last = self._judged(numbers, rest)
            if not numbers or len(rest) < len(numbers):
                return
            waiting, done = [check] if done == 0 else [], done + len(numbers)

    def _answered(
        self, asked: Sequence[PlannedCase]
    ) -> Yielding[list[Question], Sequence[Answer], Sequence[Answer]]:
        """The answers to these questions, fewer where the budget ends, none after it."""
        if not asked:
            return ()
        try:
            return (yield [one.question for one in asked])
        except BudgetSpentError:
            self.spent = True
            return ()

    def _size(self, done: int) -> int:
        """How many tests are asked next."""
        return max(1, min(LARGEST, done // GROWTH))

    def _keep(
        self, last: _Portion, waiting: Sequence[PlannedCase], answers: Sequence[Answer]
    ) -> Sequence[Answer]:
        """Count a portion with the answers to its controls and checks; the answers left over."""
        self.kept.tests |= last.tests
        self.kept.owed |= last.owed
        first, second = len(last.controls), len(last.controls) + len(waiting)
        self.patched |= dict(zip(last.controls, answers[:first], strict=False))
        self.checked += [
            self.judge(one.asked(self.before, answer))
            for one, answer in zip(waiting, answers[first:second], strict=False)
        ]
        return answers[second:]

    def _judged(self, numbers: Sequence[int], answers: Sequence[Answer]) -> _Portion:
        """The answered tests, and the controls that they are owed."""
        found = {
            number: self.judge(self.tests[number].asked(self.before, answer))
            for number, answer in zip(numbers, answers, strict=False)
        }
        owed = {
            number: self.draws.control(number, self.tests[number], case)
            for number, case in found.items()
            if self.draws.coins[number] < self.draws.chance(case)
        }
        return _Portion(found, owed)

    def gathered(self) -> ControlledCases:
        """All cases; a control's parent is the place of its test among them."""
        tests = dict(sorted(self.kept.tests.items()))
        places = {number: place for place, number in enumerate(tests)}
        controls = [
            self.judge(control.asked(self.before, self.patched[number], places[number]))
            for number, control in sorted(self.kept.controls.items())
        ]
        missing = sum(control is None for control in self.kept.owed.values())
        cases = [*tests.values(), *controls, *self.checked]
        return ControlledCases(cases, missing, self.spent)


def enough_for(tests: int, share: float) -> int:
    """How many questions suffice for this many tests and their controls, even if all fail."""
    return tests if share == 0 else 2 * (tests + tests // GROWTH) + 1
