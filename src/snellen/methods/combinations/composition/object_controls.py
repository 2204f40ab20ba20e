"""The controls of compositions: one of their objects alone, at its place."""

from __future__ import annotations

from collections.abc import Callable, Generator, Mapping, Sequence
from dataclasses import replace

from numpy.random import Generator as Randomness

from snellen.contract.asked import Asked
from snellen.contract.questions import Answer, BudgetSpentError, Question
from snellen.contract.verdict import CHANCE, CONTROL, Case, Status
from snellen.methods.combinations.composition.compositions import Composition
from snellen.methods.planned_case import PlannedCase
from snellen.scenes.scene import Scene

ALONE = f"{CONTROL}alone"


def objects_alone(
    made: Sequence[Composition], scene: Scene, rng: Randomness
) -> dict[int, PlannedCase]:
    """For each composition with objects, by its number, one of them alone, drawn at random."""
    drawn = {
        number: one.recipe.only([int(rng.integers(len(one.labels)))])
        for number, one in enumerate(made)
        if one.labels
    }
    return {number: PlannedCase(Question(scene, one), ALONE) for number, one in drawn.items()}


def controlled(
    tests: Sequence[PlannedCase],
    alone: Mapping[int, PlannedCase],
    share: float,
    judge: Callable[[Asked], Case],
    rng: Randomness,
) -> Generator[list[Question], Sequence[Answer], list[Case]]:
    """The judged tests, then their controls, each with its test as parent and its known chance.

    alone: the control of each test by its number. Each test has its control with the chance
    `share`, a failing one always: so the controls are a sample with known chances. If the
    budget does not cover the controls of all failing tests, `share` is the chance of all.
    """
    drawn = _drawn(sorted(alone), share, rng)
    order = list[tuple[int, PlannedCase]]()
    for number, test in enumerate(tests):
        order += [(number, test), *([(number, alone[number])] if number in drawn else [])]
    answers = yield [one.question for _, one in order]
    found, controls = dict[int, Case](), dict[int, Case]()
    for (number, one), answer in zip(order, answers, strict=False):
        (controls if one.role == ALONE else found)[number] = judge(one.asked(None, answer))
    failing = {number for number in alone if number in found and _fails(found[number])}
    complete = yield from _completed(sorted(failing - controls.keys()), alone, controls, judge)
    always = failing if complete else set[int]()
    return [
        *found.values(),
        *(_sampled(controls[n], n, 1.0 if n in always else share) for n in sorted(controls)),
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
    alone: Mapping[int, PlannedCase],
    controls: dict[int, Case],
    judge: Callable[[Asked], Case],
) -> Generator[list[Question], Sequence[Answer], bool]:
    """Add these controls; whether the budget covered all of them. If not, none is added."""
    if not wanted:
        return True
    try:
        answers = yield [alone[number].question for number in wanted]
    except BudgetSpentError:
        return False
    if len(answers) < len(wanted):
        return False
    for number, answer in zip(wanted, answers, strict=True):
        controls[number] = judge(alone[number].asked(None, answer))
    return True


def _sampled(control: Case, test: int, chance: float) -> Case:
    """The control of a test, with the chance that it was asked."""
    measured = {**control.measurements, CHANCE: chance}
    return replace(control, parent=test, measurements=measured)
