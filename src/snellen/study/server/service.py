"""What the routes share: the study, who asks, and a few threads in which the study works."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Annotated, ParamSpec, TypeAlias, TypeVar

from fastapi import Depends, Request

from snellen.study.participation import Participation
from snellen.study.server import refusal
from snellen.study.server.live_overview import LiveOverview
from snellen.study.server.owner_token import is_owner
from snellen.study.server.rate_limits import RateLimits, TokenBuckets, sender_of
from snellen.study.server.refusal import RefusedError
from snellen.study.server.session_tokens import SessionTokens

THREADS = 32
"""Most wait for the disk, which takes several answers at once; pictures need not wait for that."""
COOKIE = "snellen-study"

P = ParamSpec("P")
T = TypeVar("T")


@dataclass
class StudyService:
    """encrypted: whether browsers come by HTTPS, so that the cookie travels by nothing else."""

    participation: Participation
    tokens: SessionTokens
    owner: str
    limits: RateLimits = field(default_factory=RateLimits)
    encrypted: bool = False

    def __post_init__(self) -> None:
        self._threads = ThreadPoolExecutor(THREADS, "study")
        self.overview = LiveOverview(self.participation)
        self.participants = TokenBuckets(self.limits.participant)
        self.enrolment = TokenBuckets(self.limits.enrolment)
        self.enrolments = TokenBuckets(self.limits.enrolments)
        self.refused_owner = TokenBuckets(self.limits.refused_owner)

    @property
    def cookie(self) -> str:
        """The name of the session's cookie; the prefix keeps other hosts of a domain from it."""
        return f"__Host-{COOKIE}" if self.encrypted else COOKIE

    async def call(self, what: Callable[P, T], *given: P.args, **named: P.kwargs) -> T:
        """What a function returns that may write to the disk."""

        def called() -> T:
            return what(*given, **named)

        return await asyncio.get_running_loop().run_in_executor(self._threads, called)

    def code_of(self, request: Request) -> str | None:
        """The code of the participant whose browser asks, None without a valid session."""
        return self.tokens.code_of(request.cookies.get(self.cookie, ""))

    def close(self) -> None:
        """Wait for what the study is doing."""
        self._threads.shutdown()


def study_service(request: Request) -> StudyService:
    """The service of the application that was asked."""
    service: StudyService = request.app.state.service
    return service


def check_rate(buckets: TokenBuckets, sender: str, cost: float = 1.0) -> None:
    """Count a request; refuse it if it is one too many."""
    wait = buckets.wait(sender, cost)
    if wait:
        raise refusal.too_many(wait)


def sender(request: Request) -> str:
    """Where a request comes from."""
    return sender_of(request.client.host if request.client else "")


async def _service(request: Request) -> StudyService:
    return study_service(request)


async def _participant(request: Request) -> str:
    service = study_service(request)
    code = service.code_of(request)
    if code is None:
        raise RefusedError(*refusal.NO_SESSION)
    check_rate(service.participants, code)
    return code


async def require_owner(request: Request) -> None:
    """Refuse everyone but the owner."""
    service = study_service(request)
    if not is_owner(request.headers.get("authorization"), service.owner):
        check_rate(service.refused_owner, sender(request))
        raise RefusedError(*refusal.NOT_OWNER)


Service: TypeAlias = Annotated[StudyService, Depends(_service)]
ParticipantCode: TypeAlias = Annotated[str, Depends(_participant)]
