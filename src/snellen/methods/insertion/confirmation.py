"""Confirmation: a finding of a subject that may be unsteady is asked again.

It is confirmed if the scene and the case are each answered as they were, every time. If either is
not, the difference between them says nothing: the finding is flaky.
"""

from __future__ import annotations

from collections.abc import Generator as Yielding
from collections.abc import Sequence
from dataclasses import replace

from snellen.changes.identity import Identity
from snellen.methods.insertion.judging import Judge, detections_in
from snellen.methods.insertion.plan import Stage
from snellen.methods.questions import Answer, Question
from snellen.methods.verdict import Case, Status
from snellen.vision.detections import Detections
from snellen.vision.events import compare_predictions

AGAIN = 1000
"""Repeats from here on are confirmations; lower numbers belong to the identity control."""


def confirmed(
    stage: Stage, judge: Judge, cases: list[Case], left: int | None
) -> Yielding[list[Question], Sequence[Answer], tuple[list[Case], int | None]]:
    """The cases with unrepeated failures turned flaky, and what is left of the budget.

    A failure that the budget can't confirm is flaky too.
    """
    failing = [n for n, case in enumerate(cases) if case.status == Status.FAILING]
    if not failing:
        return cases, left
    times = judge.options.confirmations
    repeats = range(AGAIN, AGAIN + times)
    affordable = len(failing) if left is None else max(0, left // times - 1)
    asked = failing[:affordable]
    questions = [Question(stage.scene, Identity(), repeat=number) for number in repeats]
    questions += [
        Question(stage.scene, cases[n].recipe, repeat=number) for n in asked for number in repeats
    ]
    answers = yield questions if asked else []
    steady = bool(asked) and _agree(judge, judge.before, answers[:times])
    out = list(cases)
    for place, n in enumerate(failing):
        again = answers[times * (place + 1) : times * (place + 2)] if place < len(asked) else []
        after = cases[n].after
        assert isinstance(after, Detections)
        if not (steady and again and _agree(judge, after, again)):
            out[n] = replace(cases[n], status=Status.FLAKY)
    spent = len(questions) if asked else 0
    return out, None if left is None else left - spent


def _agree(judge: Judge, first: Detections, again: Sequence[Answer]) -> bool:
    """Whether every answer has the same objects as the first, but for what is borderline."""
    return not any(
        event.severity == "hard"
        for answer in again
        for event in compare_predictions(
            first,
            detections_in(answer),
            score=judge.score,
            iou=judge.options.iou,
            hysteresis=judge.options.hysteresis,
        )
    )
