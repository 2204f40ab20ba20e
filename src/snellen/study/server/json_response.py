"""Values as JSON responses, made by what pydantic and orjson are fast at."""

from __future__ import annotations

from typing import Any

import orjson
from fastapi import Response
from pydantic import BaseModel

from snellen.study.server.refusal import RefusedError


def json_response(value: BaseModel | None) -> Response:
    """A value, or `null`."""
    content = b"null" if value is None else value.model_dump_json().encode()
    return Response(content, media_type="application/json")


def plain_response(value: Any) -> Response:
    """JSON values."""
    return Response(orjson.dumps(value), media_type="application/json")


def refusal_response(error: RefusedError) -> Response:
    """A refusal with its status."""
    return Response(error.body, error.status, error.headers, "application/json")
