"""What the owner's page may ask, by the owner's token: the state of the study, and its answers."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any

import orjson
from fastapi import APIRouter, Depends, Response
from fastapi.responses import StreamingResponse

from snellen.study.server.contract import RunningState
from snellen.study.server.json_body import RunningBody, described
from snellen.study.server.json_response import json_response
from snellen.study.server.service import Service, StudyService, require_owner
from snellen.study.trial import Overview

PAGE = 1_000
"""Answers that are read at once."""
EXPORT_HEADERS = {"Content-Disposition": 'attachment; filename="answers.jsonl"'}

routes = APIRouter(prefix="/api/admin", dependencies=[Depends(require_owner)])


@routes.get("/overview", response_model=Overview)
async def overview(service: Service) -> Response:
    """The state of the study."""
    return json_response(await service.call(service.overview.now))


@routes.post("/running", response_model=Overview, openapi_extra=described(RunningState))
async def set_running(service: Service, body: RunningBody) -> Response:
    """Stop or resume the study."""
    return json_response(await service.call(service.overview.after, body.running))


@routes.get("/export", response_class=StreamingResponse)
async def export(service: Service) -> Response:
    """Every answer, one a line."""
    first = await service.call(service.participation.answers, 0, PAGE)
    lines = _lines(service, first)
    return StreamingResponse(lines, headers=EXPORT_HEADERS, media_type="application/x-ndjson")


async def _lines(service: StudyService, answers: list[dict[str, Any]]) -> AsyncIterator[bytes]:
    while answers:
        yield b"".join(orjson.dumps(one) + b"\n" for one in answers)
        last = int(answers[-1]["number"])
        answers = await service.call(service.participation.answers, last, PAGE)
