"""What a study takes: answers, participants, minutes and pay."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

from snellen.study.design.study_design import StudyDesign
from snellen.study.trial import StudyTask, TrialKind

SECONDS = {
    StudyTask.CLASSIFY: 4.0,
    StudyTask.LOCALISE: 16.0,
    StudyTask.CLASSIFY_BOX: 5.0,
    StudyTask.SEGMENT: 45.0,
    StudyTask.RANK: 15.0,
}
"""Typical time for a trial, from the picture to the next one. An assumption: pilot it."""
READING = 120.0
"""Seconds for consent and instructions."""


@dataclass(frozen=True)
class StudyCost:
    """What a study takes. answers: of test trials. minutes, pay: of a participant, of all."""

    pictures: Mapping[StudyTask, int]
    answers: Mapping[StudyTask, int]
    participants: int
    minutes: float
    pay: float
    currency: str

    def to_json(self) -> dict[str, Any]:
        """Plain values."""
        return asdict(self)


def study_cost(design: StudyDesign) -> StudyCost:
    """What a design takes if every participant passes all batches."""
    options = design.options
    pictures = {one: len(design.of_kind(TrialKind.TEST, one)) for one in options.tasks}
    answers = {one: answers_wanted(design, one) for one in options.tasks}
    each = options.batches * options.batch
    participants = max(math.ceil(answers[one] / each) for one in options.tasks)
    pay = options.pay.amount * participants
    return StudyCost(
        pictures, answers, participants, minutes_each(design), pay, options.pay.currency
    )


def answers_wanted(design: StudyDesign, task: StudyTask) -> int:
    """How many answers to test trials of a task the study is over with."""
    options = design.options
    trials = len(design.of_kind(TrialKind.TEST, task))
    if options.adaptive:
        trials = min(trials, options.samples)
    return trials * options.wanted(task)


def minutes_each(design: StudyDesign) -> float:
    """Minutes that a participant takes."""
    options = design.options
    seconds = READING
    for task in options.tasks:
        practice, qualification, test, sanity = (options.shown(kind, task) for kind in TrialKind)
        shown = practice + qualification + options.batches * (test + sanity)
        seconds += shown * SECONDS[task]
    return round(seconds / 60, 1)
