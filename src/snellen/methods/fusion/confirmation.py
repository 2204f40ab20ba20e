"""Findings of an unsteady subject are asked again; what does not repeat is flaky."""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from dataclasses import replace

from snellen.contract.questions import Answer, Question
from snellen.contract.verdict import Case, Status
from snellen.scenes.scene import Scene
from snellen.subjects.subject import Prediction


def confirmed(
    scene: Scene,
    cases: Sequence[Case],
    times: int,
    left: int | None,
    events_hold: Callable[[Case, Prediction], bool],
) -> Generator[list[Question], Sequence[Answer], list[Case]]:
    """The cases, those that fail but not every time made flaky.

    left: questions that may still be asked. events_hold: whether a case has no hard event with this
    answer. A failing case that there is no budget to ask about stays as it is.
    """
    failing = [number for number, case in enumerate(cases) if case.status == Status.FAILING]
    if left is not None:
        failing = failing[: max(0, left // times)]
    asked = [
        Question(scene, cases[number].recipe, repeat=again)
        for number in failing
        for again in range(1, times + 1)
    ]
    answers = (yield asked) if asked else ()
    made = list(cases)
    for place, number in enumerate(failing):
        again = answers[place * times : (place + 1) * times]
        if any(events_hold(cases[number], answer.prediction) for answer in again):
            made[number] = replace(cases[number], status=Status.FLAKY)
    return made
