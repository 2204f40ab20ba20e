"""uvicorn as a study needs it: small limits, patience with nobody, and nothing said of itself."""

from __future__ import annotations

import asyncio
import logging
import os
import socket
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Any

import h11
import uvicorn
from uvicorn.protocols.http.h11_impl import H11Protocol

from snellen.study.server.guard import HEAD_BYTES
from snellen.study.server.server_options import ServerOptions

HEAD_SECONDS = 10.0
"""How long the head of a request may take to arrive."""
IDLE_SECONDS = 30
"""How long a connection is kept for the next request: a slow trial does not need a new one."""
STOP_SECONDS = 5
CONNECTIONS = 4_000
SPARE_FILES = 100
BACKLOG = 2_048


class ImpatientProtocol(H11Protocol):
    """HTTP/1.1 for which a client that never completes the head of a request is not waited for."""

    _deadline: asyncio.TimerHandle | None = None

    def connection_made(self, transport: Any) -> None:
        """Start to wait for a request."""
        super().connection_made(transport)
        self._wait()

    def data_received(self, data: bytes) -> None:
        """Wait on if the head of a request is not complete."""
        super().data_received(data)
        begun = self.conn.their_state is h11.IDLE and bool(self.conn.trailing_data[0])
        if not begun:
            self._stop_waiting()
        elif self._deadline is None:
            self._wait()

    def connection_lost(self, exc: Exception | None) -> None:
        """Wait no longer."""
        self._stop_waiting()
        super().connection_lost(exc)

    def _wait(self) -> None:
        self._deadline = self.loop.call_later(HEAD_SECONDS, self.transport.abort)

    def _stop_waiting(self) -> None:
        if self._deadline is not None:
            self._deadline.cancel()
            self._deadline = None


class AnnouncedServer(uvicorn.Server):
    """A server that calls a function when it takes requests."""

    def __init__(self, config: uvicorn.Config, announce: Callable[[], None]) -> None:
        super().__init__(config)
        self._announce = announce

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Begin to take requests."""
        await super().startup(sockets)
        self._announce()


def http_server(app: Any, options: ServerOptions, announce: Callable[[], None]) -> AnnouncedServer:
    """A server whose `run` ends when the process is interrupted, which is then raised."""
    logging.getLogger("uvicorn.error").setLevel(logging.ERROR)  # not a line for what anyone sends
    config = uvicorn.Config(
        app,
        http=ImpatientProtocol,
        ws="none",
        lifespan="off",
        log_config=None,
        access_log=False,  # it would keep addresses of people
        server_header=False,
        proxy_headers=options.behind_proxy,
        ssl_certfile=options.tls_cert,
        ssl_keyfile=options.tls_key,
        h11_max_incomplete_event_size=HEAD_BYTES,
        limit_concurrency=_connections(),
        timeout_keep_alive=IDLE_SECONDS,
        timeout_graceful_shutdown=STOP_SECONDS,
    )
    return AnnouncedServer(config, announce)


def _connections() -> int:
    """How many connections are taken at once, so that files can still be opened."""
    with suppress(ImportError, ValueError, OSError):
        import resource

        soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
        wanted = CONNECTIONS + SPARE_FILES
        if soft != resource.RLIM_INFINITY and soft < wanted:
            most = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
            resource.setrlimit(resource.RLIMIT_NOFILE, (most, hard))
            return max(most - SPARE_FILES, SPARE_FILES)
    return CONNECTIONS


def listen(options: ServerOptions) -> socket.socket:
    """A socket that is bound to the host and port; an OSError if it cannot be.

    It says that it is of TCP, else asyncio would not switch off the delay of small packets (Nagle),
    which makes a browser wait 40 ms for a picture.
    """
    found: Sequence[Any] = socket.getaddrinfo(
        options.host, options.port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
    )
    family, _, _, _, address = found[0]
    listener = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    try:
        if os.name == "posix":
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind(address)
        listener.listen(BACKLOG)
    except BaseException:
        listener.close()
        raise
    return listener
