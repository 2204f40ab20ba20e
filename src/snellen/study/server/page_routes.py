"""The pages and the files that they consist of."""

from __future__ import annotations

from collections.abc import Mapping

from fastapi import APIRouter, Request, Response

from snellen.study.server import refusal
from snellen.study.server.page_files import HTML, PageFile
from snellen.study.server.refusal import RefusedError

routes = APIRouter()


@routes.get("/", response_class=Response)
async def index(request: Request) -> Response:
    """The participant's page."""
    return _file(request, "index.html")


@routes.get("/admin", response_class=Response)
async def admin(request: Request) -> Response:
    """The owner's page, which holds nothing that its token has not fetched."""
    return _file(request, "admin.html")


@routes.get("/static/{name}", response_class=Response)
async def static(request: Request, name: str) -> Response:
    """A file of the pages."""
    if name.endswith(HTML):
        raise RefusedError(*refusal.NOT_FOUND)
    return _file(request, name)


def _file(request: Request, name: str) -> Response:
    files: Mapping[str, PageFile] = request.app.state.pages
    found = files.get(name)
    if found is None:
        raise RefusedError(*refusal.NOT_FOUND)
    headers = {"ETag": found.tag, "Cache-Control": "no-cache"}
    if request.headers.get("if-none-match") == found.tag:
        return Response(status_code=304, headers=headers)
    return Response(found.content, headers=headers, media_type=found.media_type)
