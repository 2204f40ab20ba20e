"""Small records, made by hand."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from snellen.study.record import (
    GivenAnswer,
    PlannedTrial,
    StudyRecord,
    StudySample,
    TrueObject,
)
from snellen.study.trial import Exposure, StudyAnswer

SEEN = Exposure(shown_ms=200.0, frame_ms=1000 / 60)


def given(
    participant: str,
    trial: str,
    answer: StudyAnswer,
    place: int = 0,
    exposure: Exposure = SEEN,
    response_ms: float = 800.0,
) -> GivenAnswer:
    """An answer as it was kept."""
    return GivenAnswer(
        participant=participant,
        trial=trial,
        place=place,
        answer=answer,
        exposure=exposure,
        response_ms=response_ms,
        received=0.0,
    )


def record_of(
    samples: Iterable[StudySample],
    trials: Iterable[PlannedTrial],
    answers: Sequence[GivenAnswer],
    objects: Mapping[str, tuple[TrueObject, ...]] | None = None,
) -> StudyRecord:
    """A record of a flash of 200 ms."""
    return StudyRecord(
        "hand",
        1,
        "vifp(sigma_nsq=0.4)",
        200.0,
        {one.sample: one for one in samples},
        objects or {},
        {one.trial: one for one in trials},
        tuple(answers),
    )
