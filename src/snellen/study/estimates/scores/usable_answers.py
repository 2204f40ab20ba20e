"""The answers whose picture was seen as it was meant to be."""

from __future__ import annotations

from collections import Counter

from snellen.study.estimates.scores.score_options import ScoreOptions
from snellen.study.record import GivenAnswer, StudyRecord
from snellen.study.trial import StudyTask

FLASHED = (StudyTask.CLASSIFY, StudyTask.CLASSIFY_BOX)
FRAME_MS = 1000 / 60
"""Assumed where the browser measured no frames."""
HIDDEN = "hidden tab"
OFF_TARGET = "exposure off target"
UNMEASURED = "exposure not measured"
_ROUNDED = 0.5
"""Milliseconds to which browsers round their clocks."""


def usable_answers(
    record: StudyRecord, options: ScoreOptions
) -> tuple[list[GivenAnswer], Counter[str]]:
    """The answers to keep, and how many were left out for each reason."""
    left_out: Counter[str] = Counter()
    found = []
    for one in record.answers:
        reason = defect(one, record, options)
        if reason is None:
            found.append(one)
        else:
            left_out[reason] += 1
    return found, left_out


def defect(answer: GivenAnswer, record: StudyRecord, options: ScoreOptions) -> str | None:
    """Why an answer is left out, None if it is not."""
    seen = answer.exposure
    if seen.hidden and not options.keep_hidden:
        return HIDDEN
    if options.frames is None or record.trials[answer.trial].task not in FLASHED:
        return None
    if seen.shown_ms is None:
        return UNMEASURED
    frame = seen.frame_ms or FRAME_MS
    missed = abs(seen.shown_ms - record.flash_ms)
    return OFF_TARGET if missed > options.frames * frame + _ROUNDED else None
