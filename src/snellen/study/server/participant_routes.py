"""What a participant's browser may ask: its own trials, answers and data, by its session."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Path, Request, Response

from snellen.study.participation import (
    Participation,
    StudyWording,
    UnknownParticipantError,
)
from snellen.study.server.contract import (
    AnswerReceipt,
    Completion,
    Deletion,
    Enrolment,
    StagePassed,
    SubmittedAnswer,
)
from snellen.study.server.json_body import AnswerBody, EnrolmentBody, StageBody, described
from snellen.study.server.json_response import json_response, plain_response
from snellen.study.server.page_files import content_tag
from snellen.study.server.service import (
    ParticipantCode,
    Service,
    StudyService,
    check_rate,
    sender,
)
from snellen.study.server.session_tokens import LIFETIME
from snellen.study.trial import Progress, ShownTrial

PICTURE_CACHE = "private, max-age=86400, immutable"
"""A picture's name is used for nothing else; only the participant's own browser keeps it."""
LONG_LOOK = 10
"""What looking through all answers is worth, in ordinary requests."""

routes = APIRouter(prefix="/api")


@routes.get("/wording", response_model=StudyWording)
async def wording(service: Service) -> Response:
    """What the pages say."""
    return json_response(service.participation.wording)


@routes.post("/enrol", response_model=Progress, openapi_extra=described(Enrolment))
async def enrol(request: Request, service: Service, body: EnrolmentBody) -> Response:
    """Start a session, or resume that of the browser."""
    code = None if body.fresh else service.code_of(request)
    if code is not None:
        check_rate(service.participants, code)
        try:
            return json_response(await service.call(service.participation.progress, code))
        except UnknownParticipantError:  # their data were deleted
            pass
    check_rate(service.enrolment, sender(request))
    check_rate(service.enrolments, "")
    new, start = await service.call(_enrolled, service.participation, body)
    response = json_response(start)
    _set_cookie(response, service, service.tokens.issue(new), int(LIFETIME))
    return response


@routes.get("/progress", response_model=Progress)
async def progress(service: Service, code: ParticipantCode) -> Response:
    """How far the participant is."""
    return json_response(await service.call(service.participation.progress, code))


@routes.post("/stage", response_model=Progress, openapi_extra=described(StagePassed))
async def pass_stage(service: Service, code: ParticipantCode, body: StageBody) -> Response:
    """Leave the consent or the instructions."""
    done = await service.call(service.participation.pass_stage, code, body.stage)
    return json_response(done)


@routes.get("/trial", response_model=ShownTrial | None)
async def trial(service: Service, code: ParticipantCode) -> Response:
    """The trial to answer next."""
    return json_response(await service.call(service.participation.next_trial, code))


@routes.get("/picture/{name}", response_class=Response)
async def picture(
    request: Request,
    service: Service,
    code: ParticipantCode,
    name: Annotated[str, Path(max_length=64)],
) -> Response:
    """A picture of the current trial."""
    found = await service.call(service.participation.picture, code, name)
    tag = content_tag(found.content)
    headers = {"ETag": tag, "Cache-Control": PICTURE_CACHE, "Vary": "Cookie"}
    if request.headers.get("if-none-match") == tag:
        return Response(status_code=304, headers=headers)
    return Response(found.content, headers=headers, media_type=found.media_type)


@routes.post("/answer", response_model=AnswerReceipt, openapi_extra=described(SubmittedAnswer))
async def answer(service: Service, code: ParticipantCode, body: AnswerBody) -> Response:
    """Keep an answer; say so when it is kept."""
    return json_response(await service.call(_kept, service.participation, code, body))


@routes.get("/completion", response_model=Completion)
async def completion(service: Service, code: ParticipantCode) -> Response:
    """What a finished participant takes along."""
    return json_response(await service.call(_completion, service.participation, code))


@routes.get("/my-data", response_model=dict)
async def my_data(service: Service, code: ParticipantCode) -> Response:
    """All that is kept about the participant."""
    check_rate(service.participants, code, LONG_LOOK)
    return plain_response(await service.call(service.participation.participant_data, code))


@routes.delete("/my-data", response_model=Deletion)
async def delete_my_data(service: Service, code: ParticipantCode) -> Response:
    """Delete all that is kept about the participant, and the session."""
    await service.call(service.participation.delete_participant, code)
    response = json_response(Deletion())
    _set_cookie(response, service, "", 0)
    return response


def _enrolled(study: Participation, body: Enrolment) -> tuple[str, Progress]:
    code = study.enrol(body.source)
    return code, study.progress(code)


def _kept(study: Participation, code: str, body: SubmittedAnswer) -> AnswerReceipt:
    recorded = study.record(code, body.trial, body.answer, body.exposure, body.response_ms)
    return AnswerReceipt(
        recorded=recorded, progress=study.progress(code), trial=study.next_trial(code)
    )


def _completion(study: Participation, code: str) -> Completion:
    return Completion(
        code=study.completion_code(code), link=study.completion_link(code), participant=code
    )


def _set_cookie(response: Response, service: StudyService, token: str, seconds: int) -> None:
    response.set_cookie(
        service.cookie,
        token,
        max_age=seconds,
        path="/",
        secure=service.encrypted,
        httponly=True,
        samesite="strict",
    )
