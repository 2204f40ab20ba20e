"""Confirmation: a finding of a subject that may be unsteady is asked again.

It is confirmed if the scene and the case are each answered as they were, every time. If either is
not, the difference between them says nothing: the finding is flaky.
"""

from __future__ import annotations

from collections.abc import Generator as Yielding
from collections.abc import Sequence
from dataclasses import dataclass, replace

from snellen.changes.identity import Identity
from snellen.contract.questions import Answer, Question
from snellen.contract.verdict import Case, Status
from snellen.scenes.scene import Scene
from snellen.vision.detections import Detections
from snellen.vision.events import compare_predictions

FIRST_CONFIRMATION = 1000
"""Repeats from here on are confirmations; lower numbers belong to the identity control."""


@dataclass(frozen=True, eq=False)
class RepeatCheck:
    """What is asked again of a scene, how often, and when two answers are the same.

    before: what the subject said of the scene. score, iou, hysteresis: as of `compare_predictions`.
    """

    scene: Scene
    before: Detections
    times: int
    score: float
    iou: float
    hysteresis: float

    def agree(self, first: Detections, again: Sequence[Answer]) -> bool:
        """Whether every answer has the same objects as the first, but for what is borderline."""
        return not any(
            event.severity == "hard"
            for answer in again
            for event in compare_predictions(
                first,
                detections_in(answer),
                score=self.score,
                iou=self.iou,
                hysteresis=self.hysteresis,
            )
        )


def confirmed(
    steady: RepeatCheck, cases: list[Case], left: int | None
) -> Yielding[list[Question], Sequence[Answer], tuple[list[Case], int | None]]:
    """The cases with unrepeated failures turned flaky, and what is left of the budget.

    A failure that the budget can't confirm is flaky too.
    """
    failing = [n for n, case in enumerate(cases) if case.status == Status.FAILING]
    if not failing:
        return cases, left
    times = steady.times
    repeats = range(FIRST_CONFIRMATION, FIRST_CONFIRMATION + times)
    affordable = len(failing) if left is None else max(0, left // times - 1)
    asked = failing[:affordable]
    questions = [Question(steady.scene, Identity(), repeat=number) for number in repeats]
    questions += [
        Question(steady.scene, cases[n].recipe, repeat=number) for n in asked for number in repeats
    ]
    answers = yield questions if asked else []
    same = bool(asked) and steady.agree(steady.before, answers[:times])
    out = list(cases)
    for place, n in enumerate(failing):
        again = answers[times * (place + 1) : times * (place + 2)] if place < len(asked) else []
        after = cases[n].after
        assert isinstance(after, Detections)
        if not (same and again and steady.agree(after, again)):
            out[n] = replace(cases[n], status=Status.FLAKY)
    spent = len(questions) if asked else 0
    return out, None if left is None else left - spent


def detections_in(answer: Answer) -> Detections:
    """The answer of a detector."""
    assert isinstance(answer.prediction, Detections)
    return answer.prediction
