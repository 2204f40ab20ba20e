"""What a study offers its server: enrolment, trials in their order, answers kept for good.

The server knows no truth, no file and no SQL; the study knows no HTTP. `data/` implements
`Participation`; the server's tests use a fake.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Protocol

from snellen.study.trial import (
    Exposure,
    Overview,
    Progress,
    Recorded,
    ShownTrial,
    Stage,
    StudyAnswer,
    StudyTask,
    StudyValue,
)


class ParticipationError(Exception):
    """What a participant's browser asked cannot be done; the message may be shown to anyone."""


class UnknownParticipantError(ParticipationError):
    """No participant has this code, or their data were deleted."""


class OutOfOrderError(ParticipationError):
    """The trial or stage is not the participant's current one, or was answered differently."""


class InvalidAnswerError(ParticipationError):
    """The answer does not fit the trial: another kind, a choice not offered, a box outside."""


class StudyPausedError(ParticipationError):
    """The owner has stopped the study; what was answered is kept."""


class StudyWording(StudyValue):
    """What pages say that depends on the study. Texts are plain, paragraphs apart by blank lines.

    contact: whom to write to. pay: a sentence, empty for none. minutes: how long it takes.
    tasks: in the order in which they come.
    """

    title: str
    purpose: str
    consent: str
    contact: str
    pay: str = ""
    minutes: float = 10.0
    tasks: tuple[StudyTask, ...]


class EncodedPicture(StudyValue):
    """An encoded picture. media_type: `image/png` or `image/jpeg`."""

    content: bytes
    media_type: str


class Participation(Protocol):
    """A study that is open for answers.

    Safe to call from several threads. `code` is a participant's random code: 128 bits, URL-safe.
    Every method that takes one raises `UnknownParticipantError` where there is none. What a
    method has returned from is on the disk: killing the process loses none of it.
    """

    @property
    def wording(self) -> StudyWording:
        """What pages say."""

    def enrol(self, source: Mapping[str, str]) -> str:
        """A new participant's code. source: what a recruiting site passes and the study wants to
        keep to pay people (names of keys are limited by the study's options), else ignored.
        """

    def progress(self, code: str) -> Progress:
        """How far the participant is."""

    def pass_stage(self, code: str, stage: Stage) -> Progress:
        """Leave `consent` or `instructions`; `OutOfOrderError` if that is not the current stage.
        Repeating the call for the stage just left changes nothing.
        """

    def next_trial(self, code: str) -> ShownTrial | None:
        """The trial to answer next, the same until it is answered; None where there is none now
        (see the stage). Its first picture is the stimulus (for `rank`: all of them are); with a
        `flash_ms`, the second is the noise mask that follows it.
        """

    def picture(self, code: str, name: str) -> EncodedPicture:
        """A picture of the participant's current trial; `OutOfOrderError` for any other name."""

    def record(
        self,
        code: str,
        trial: str,
        answer: StudyAnswer,
        exposure: Exposure,
        response_ms: float,
    ) -> Recorded:
        """Keep an answer, append-only. The same answer to the trial just answered is a repetition
        of a request whose response was lost: it is kept once and answered alike. Anything else
        that is not the current trial is an `OutOfOrderError`.
        """

    def completion_code(self, code: str) -> str | None:
        """What a finished participant shows the recruiting site; None before."""

    def completion_link(self, code: str) -> str | None:
        """The recruiting site's address that takes the completion code, with the code in it; None
        before the end, and for a study that has none.
        """

    def participant_data(self, code: str) -> dict[str, Any]:
        """All that is kept about a participant, as JSON values."""

    def delete_participant(self, code: str) -> None:
        """Remove all that is kept about a participant, for good; others get their trials."""

    def overview(self) -> Overview:
        """The state of the study, for its owner."""

    def answers(self, after: int, count: int) -> list[dict[str, Any]]:
        """Answers as JSON values in the order in which they were kept, at most `count`, for the
        owner's export. Each has a `number` that grows and is never given twice; those with one
        greater than `after` are returned (0 for the first), an empty list after the last.
        """

    def set_running(self, running: bool) -> None:
        """Stop or resume the study; stopped, enrolling and answering raise `StudyPausedError`."""

    def close(self) -> None:
        """Close the files."""
