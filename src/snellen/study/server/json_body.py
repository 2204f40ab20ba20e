"""Bodies of requests as the models of the contract, read strictly: text is no number, 1 no truth.

FastAPI would read them leniently and by a reader that a deep body exhausts.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from typing import Annotated, Any, TypeAlias, TypeVar

from fastapi import Depends, Request
from fastapi.exceptions import RequestValidationError
from pydantic import BaseModel, ValidationError
from pydantic.json_schema import models_json_schema

from snellen.study.server.contract import Enrolment, RunningState, StagePassed, SubmittedAnswer

M = TypeVar("M", bound=BaseModel)
MODELS: tuple[type[BaseModel], ...] = (Enrolment, RunningState, StagePassed, SubmittedAnswer)
_REFERENCE = "#/components/schemas/{model}"


def _read(model: type[M]) -> Callable[[Request], Awaitable[M]]:
    async def read(request: Request) -> M:
        try:
            return model.model_validate_json(await request.body(), strict=True)
        except ValidationError as error:
            raise RequestValidationError(error.errors(include_input=False)) from None

    return read


EnrolmentBody: TypeAlias = Annotated[Enrolment, Depends(_read(Enrolment))]
RunningBody: TypeAlias = Annotated[RunningState, Depends(_read(RunningState))]
StageBody: TypeAlias = Annotated[StagePassed, Depends(_read(StagePassed))]
AnswerBody: TypeAlias = Annotated[SubmittedAnswer, Depends(_read(SubmittedAnswer))]


def described(model: type[BaseModel]) -> dict[str, Any]:
    """What the OpenAPI description says of a route with such a body."""
    schema = {"$ref": _REFERENCE.format(model=model.__name__)}
    return {"requestBody": {"required": True, "content": {"application/json": {"schema": schema}}}}


def body_schemas() -> Mapping[str, Any]:
    """The JSON schemas of all bodies and of what they consist of, by name."""
    pairs = [(model, "validation") for model in MODELS]
    _, found = models_json_schema(pairs, ref_template=_REFERENCE)  # type: ignore[arg-type]
    schemas: Mapping[str, Any] = found["$defs"]
    return schemas
