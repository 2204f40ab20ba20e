"""Serves a study: opens its folder, prints the links, and answers until it is stopped."""

from __future__ import annotations

import socket
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass, replace
from importlib.util import find_spec
from pathlib import Path

from snellen.errors import MissingExtraError, UserError
from snellen.study.participation import Participation
from snellen.study.server.owner_token import owner_token
from snellen.study.server.page_files import page_files
from snellen.study.server.rate_limits import RateLimits, RequestRate
from snellen.study.server.server_options import ServerOptions
from snellen.study.server.session_tokens import session_tokens

SECRETS = "secrets"
"""The folder of a study that holds what only its server may know; never share it."""


@dataclass(frozen=True)
class StudyLinks:
    """Where a study is served. participants, owner: addresses of the pages; the owner's contains
    the token. token: what the owner's page asks for.
    """

    title: str
    participants: str
    owner: str
    token: str


def serve(
    folder: Path,
    options: ServerOptions | None = None,
    announce: Callable[[StudyLinks], None] | None = None,
) -> None:
    """Serve the study in a folder until the process is interrupted, as `serve_participation`.

    options: default: on this machine, at the default port.
    """
    options = options or ServerOptions()
    require_server()
    options.check()
    from snellen.study.data.opened_study import open_study

    with closing(open_study(folder)) as study:
        serve_participation(study, folder / SECRETS, options, announce or _say_nothing)


def serve_participation(
    study: Participation,
    secrets: Path,
    options: ServerOptions,
    announce: Callable[[StudyLinks], None],
) -> None:
    """Serve a study until the process is interrupted, which is raised when requests have ended.

    secrets: the folder of its keys. announce: called when it takes requests.
    """
    require_server()
    options.check()
    from snellen.study.server.application import study_application
    from snellen.study.server.guard import Guard
    from snellen.study.server.http_server import http_server
    from snellen.study.server.service import StudyService

    limits = rate_limits(options.address_rate)
    tokens, owner = session_tokens(secrets), owner_token(secrets)
    with closing(_listener(options)) as listener:
        service = StudyService(study, tokens, owner, limits, options.encrypted)
        with closing(service):
            app = study_application(service, page_files())
            links = _links(study.wording.title, options, listener.getsockname()[1], owner)
            guard = Guard(app, options.names, limits, options.encrypted)
            http_server(guard, options, lambda: announce(links)).run([listener])


def require_server() -> None:
    """Raise an error that names the extra if the server's packages are not installed."""
    if find_spec("fastapi") is None or find_spec("uvicorn") is None:
        raise MissingExtraError("Serving a study", "study")


def rate_limits(address_rate: float | None) -> RateLimits:
    """The limits, with another one for addresses if it is given, in requests a second."""
    limits = RateLimits()
    if address_rate is None:
        return limits
    return replace(limits, address=RequestRate(address_rate, 4 * address_rate))


def _say_nothing(_: StudyLinks) -> None:
    """For who knows where it is."""


def _links(title: str, options: ServerOptions, port: int, token: str) -> StudyLinks:
    address = options.address(port)
    return StudyLinks(title, f"{address}/", f"{address}/admin#{token}", token)


def _listener(options: ServerOptions) -> socket.socket:
    from snellen.study.server.http_server import listen

    try:
        return listen(options)
    except OSError as error:
        raise UserError(
            f"--host {options.host} --port {options.port}: cannot be bound: "
            f"{error.strerror or error}. Choose another port, or 0 for any that is free."
        ) from error
