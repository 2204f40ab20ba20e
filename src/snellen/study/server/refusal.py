"""Why a request is refused, as the status, the word and the sentence that the browser gets."""

from __future__ import annotations

import math
from typing import TypeAlias

from snellen.errors.plain_text import escaped
from snellen.study.participation import (
    InvalidAnswerError,
    OutOfOrderError,
    ParticipationError,
    StudyPausedError,
    UnknownParticipantError,
)
from snellen.study.server.contract import Refusal

SENTENCE = 300
"""Characters of a sentence; what was sent may be quoted in it."""


class RefusedError(Exception):
    """A request that is refused. retry_after: seconds to wait before the next, None if unknown."""

    def __init__(
        self, status: int, error: str, message: str, retry_after: float | None = None
    ) -> None:
        super().__init__(message)
        self.status, self.retry_after = status, retry_after
        self.refusal = Refusal(error=error, message=escaped(message[:SENTENCE]))

    @property
    def headers(self) -> dict[str, str]:
        """What the response carries besides the body."""
        if self.retry_after is None:
            return {}
        return {"Retry-After": str(max(1, math.ceil(self.retry_after)))}

    @property
    def body(self) -> bytes:
        """The refusal as JSON."""
        return self.refusal.model_dump_json().encode()


STATUSES: dict[type[ParticipationError], tuple[int, str]] = {
    UnknownParticipantError: (401, "no-session"),
    OutOfOrderError: (409, "out-of-order"),
    InvalidAnswerError: (422, "invalid"),
    StudyPausedError: (409, "paused"),
}


def refused(error: ParticipationError) -> RefusedError:
    """What a study cannot do, as a refusal."""
    status, word = next(
        (found for kind, found in STATUSES.items() if isinstance(error, kind)), (422, "invalid")
    )
    return RefusedError(status, word, str(error))


def too_many(wait: float) -> RefusedError:
    """Too many requests; wait: seconds until the next is taken."""
    message = "There were too many requests. Please wait a moment."
    return RefusedError(429, "too-many", message, wait)


Reason: TypeAlias = tuple[int, str, str]
NOT_FOUND = (404, "not-found", "There is nothing at this address.")
NOT_ALLOWED = (405, "not-allowed", "This cannot be done at this address.")
NO_SESSION = (401, "no-session", "This browser has no session, or it has expired.")
NOT_OWNER = (401, "no-session", "This needs the owner's token.")
FOREIGN = (403, "forbidden", "This request does not come from the study's own page.")
WRONG_HOST = (400, "malformed", "The study is not served under this name.")
TOO_LARGE = (413, "too-large", "This is more than the server takes at once.")
LONG_HEAD = (431, "too-large", "The address or the headers are longer than the server takes.")
TOO_SLOW = (408, "malformed", "The request did not arrive in time.")
NOT_JSON = (415, "not-json", "The server takes JSON only.")
FAILURE = (
    500,
    "failure",
    "The server could not do this. Please try again in a few seconds.",
)
"""The reason stands in the log of the server and nowhere else."""
MALFORMED = (400, "malformed", "The request cannot be read.")
