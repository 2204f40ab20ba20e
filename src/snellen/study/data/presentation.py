"""A trial as a participant's browser receives it: nothing about what is true."""

from __future__ import annotations

import random

from snellen.study.design.study_design import StudyDesign
from snellen.study.record import PlannedTrial
from snellen.study.trial import ShownTrial, StudyTask, TrialKind

FLASHED = (StudyTask.CLASSIFY, StudyTask.CLASSIFY_BOX)


def shown_trial(
    design: StudyDesign, trial: PlannedTrial, place: int, of: int, rng: random.Random
) -> ShownTrial:
    """A trial as it is shown. rng: of the participant and trial, for what is in no fixed order."""
    pictures = [design.pictures[name] for name in trial.samples]
    if trial.task == StudyTask.RANK:
        rng.shuffle(pictures)
    flashed = trial.task in FLASHED
    if flashed:
        pictures.append(rng.choice(design.masks[pictures[0].width, pictures[0].height]))
    return ShownTrial(
        trial=trial.trial,
        task=trial.task,
        kind=shown_kind(trial),
        pictures=tuple(pictures),
        choices=trial.choices,
        box=trial.box,
        label=trial.label if trial.task == StudyTask.SEGMENT else None,
        flash_ms=design.options.flash_ms if flashed else None,
        box_seconds=design.options.box_seconds if trial.task == StudyTask.LOCALISE else None,
        place=place,
        of=of,
    )


def shown_kind(trial: PlannedTrial, *, hide: bool = True) -> TrialKind:
    """The kind of a trial; a check looks like any test where it is hidden."""
    return TrialKind.TEST if hide and trial.kind == TrialKind.SANITY else trial.kind
