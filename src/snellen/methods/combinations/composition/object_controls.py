"""The controls of compositions: each of their objects alone, at its place.

Together they are the null hypothesis of label combinations: a composition whose objects fail
independently of one another fails about as often as any of them does alone.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Mapping, Sequence
from dataclasses import replace

from numpy.random import Generator as Randomness

from snellen.contract.asked import Asked
from snellen.contract.questions import Answer, BudgetSpentError, Question
from snellen.contract.verdict import CHANCE, CONTROL, JOINT, Case, Status
from snellen.methods.combinations.composition.compositions import Composition
from snellen.methods.planned_case import PlannedCase
from snellen.scenes.scene import Scene

ALONE = f"{CONTROL}alone"
Alone = Mapping[int, Sequence[PlannedCase]]
"""Each object of a composition alone, by the composition's number."""


def objects_alone(made: Sequence[Composition], scene: Scene) -> dict[int, list[PlannedCase]]:
    """For each composition with objects, by its number, all of them alone."""
    return {
        number: [
            PlannedCase(Question(scene, one.recipe.only([place])), ALONE)
            for place in range(len(one.labels))
        ]
        for number, one in enumerate(made)
        if one.labels
    }


def controlled(
    tests: Sequence[PlannedCase],
    alone: Alone,
    share: float,
    judge: Callable[[Asked], Case],
    rng: Randomness,
) -> Generator[list[Question], Sequence[Answer], list[Case]]:
    """The judged tests, then their controls, each with its test as parent and its known chance.

    alone: the controls of each test by its number. Each test has its controls with the chance
    `share`, a failing one always: so the controls are a sample with known chances. If the
    budget does not cover the controls of all failing tests, `share` is the chance of all.
    """
    drawn = _drawn(sorted(alone), share, rng)
    order = list[tuple[int, PlannedCase]]()
    for number, test in enumerate(tests):
        shown = alone[number] if number in drawn else ()
        order += [(number, one) for one in (test, *shown)]
    answers = yield [one.question for _, one in order]
    found, controls = dict[int, Case](), dict[int, list[Case]]()
    for (number, one), answer in zip(order, answers, strict=False):
        if one.role == ALONE:
            controls.setdefault(number, []).append(judge(one.asked(None, answer)))
        else:
            found[number] = judge(one.asked(None, answer))
    controls = {n: some for n, some in controls.items() if len(some) == len(alone[n])}
    failing = {number for number in alone if number in found and _fails(found[number])}
    complete = yield from _completed(sorted(failing - controls.keys()), alone, controls, judge)
    always = failing if complete else set[int]()
    return [
        *found.values(),
        *(
            _sampled(one, number, 1.0 if number in always else share)
            for number, some in sorted(controls.items())
            for one in some
        ),
    ]


def _drawn(numbers: Sequence[int], share: float, rng: Randomness) -> set[int]:
    """As many of the numbers as their share says, each with that chance."""
    wanted = len(numbers) * share
    count = int(wanted) + int(rng.random() < wanted - int(wanted))
    return {int(one) for one in rng.choice(numbers, size=count, replace=False)} if count else set()


def _fails(case: Case) -> bool:
    return case.status == Status.FAILING


def _completed(
    wanted: Sequence[int],
    alone: Alone,
    controls: dict[int, list[Case]],
    judge: Callable[[Asked], Case],
) -> Generator[list[Question], Sequence[Answer], bool]:
    """Add these controls; whether the budget covered all of them. If not, none is added."""
    planned = [(number, one) for number in wanted for one in alone[number]]
    if not planned:
        return True
    try:
        answers = yield [one.question for _, one in planned]
    except BudgetSpentError:
        return False
    if len(answers) < len(planned):
        return False
    for (number, one), answer in zip(planned, answers, strict=True):
        controls.setdefault(number, []).append(judge(one.asked(None, answer)))
    return True


def _sampled(control: Case, test: int, chance: float) -> Case:
    """The control of a test, with the chance that it was asked."""
    measured = {**control.measurements, CHANCE: chance, JOINT: 1.0}
    return replace(control, parent=test, measurements=measured)
