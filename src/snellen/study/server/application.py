"""The application: the routes, and how their errors are answered."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from fastapi import FastAPI, Request, Response
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException

from snellen.study.participation import ParticipationError
from snellen.study.server import owner_routes, page_routes, participant_routes, refusal
from snellen.study.server.contract import Refusal
from snellen.study.server.json_body import body_schemas
from snellen.study.server.json_response import refusal_response
from snellen.study.server.page_files import PageFile
from snellen.study.server.refusal import RefusedError, refused
from snellen.study.server.service import StudyService

REFUSALS: dict[int | str, dict[str, Any]] = {
    status: {"model": Refusal}
    for status in (400, 401, 403, 404, 405, 408, 409, 413, 415, 422, 429, 431)
}
BY_STATUS = {404: refusal.NOT_FOUND, 405: refusal.NOT_ALLOWED}


def study_application(service: StudyService, pages: Mapping[str, PageFile]) -> FastAPI:
    """The application of one study, without its guard. It publishes no description of itself."""
    app = FastAPI(
        title="Snellen study",
        openapi_url=None,
        docs_url=None,
        redoc_url=None,
        redirect_slashes=False,
        responses=REFUSALS,
    )
    app.state.service, app.state.pages = service, pages
    for router in (page_routes.routes, participant_routes.routes, owner_routes.routes):
        app.include_router(router)
    for kind in (
        RefusedError,
        ParticipationError,
        RequestValidationError,
        HTTPException,
        Exception,  # raised again when it is answered, for the guard's log
    ):
        app.add_exception_handler(kind, _on_error)
    return app


async def _on_error(_: Request, error: Exception) -> Response:
    return refusal_response(_refusal_of(error))


def _refusal_of(error: Exception) -> RefusedError:
    match error:
        case RefusedError():
            return error
        case ParticipationError():
            return refused(error)
        case RequestValidationError():
            return RefusedError(422, "invalid", _sentence(error.errors()))
        case HTTPException():
            return RefusedError(*BY_STATUS.get(error.status_code, refusal.MALFORMED))
    return RefusedError(*refusal.FAILURE)


def description(app: FastAPI) -> dict[str, Any]:
    """The OpenAPI description of the application, for tests."""
    found = app.openapi()
    found["components"]["schemas"].update(body_schemas())
    return found


def _sentence(errors: Sequence[Any]) -> str:
    """The first thing that is wrong with a body, without its value."""
    if not errors:
        return "The request does not have the expected form."
    place = ".".join(str(part) for part in errors[0]["loc"])[:100]
    return f"The request does not have the expected form: {place}: {errors[0]['msg']}."
