"""What every request passes before the application sees it, and every response on its way out."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, MutableMapping
from dataclasses import dataclass, field
from typing import Any, TypeAlias
from urllib.parse import urlsplit

from snellen.study.server import refusal
from snellen.study.server.contract import REQUEST_HEADER
from snellen.study.server.host_names import HostNames
from snellen.study.server.rate_limits import RateLimits, TokenBuckets, sender_of
from snellen.study.server.refusal import RefusedError
from snellen.study.server.response_headers import safe_headers

log = logging.getLogger(__name__)

Scope: TypeAlias = MutableMapping[str, Any]
Message: TypeAlias = MutableMapping[str, Any]
Receive: TypeAlias = Callable[[], Awaitable[Message]]
Send: TypeAlias = Callable[[Message], Awaitable[None]]
Application: TypeAlias = Callable[[Scope, Receive, Send], Awaitable[None]]

ANSWER_PATH = "/api/answer"
ANSWER_BYTES = 512 * 1024
OTHER_BYTES = 4 * 1024
HELD_BYTES = 64 * 2**20
"""Of all bodies that are still arriving, not counting what any request may have."""
HEAD_BYTES = 16 * 1024
BODY_SECONDS = 20.0
"""How long a body may take to arrive."""
READS = ("GET", "HEAD", "OPTIONS")
_MARK = REQUEST_HEADER.lower().encode()


@dataclass
class Guard:
    """An ASGI application around another, which sees only requests that are worth its time.

    It refuses foreign names and origins, senders beyond their rate, and bodies that are too large,
    too slow or no JSON, and answers what the application fails at. encrypted: whether browsers
    come by HTTPS.
    """

    app: Application
    hosts: HostNames
    limits: RateLimits = field(default_factory=RateLimits)
    encrypted: bool = False

    def __post_init__(self) -> None:
        self._held = 0
        self._addresses = TokenBuckets(self.limits.address)
        self._headers = safe_headers(self.encrypted)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one request."""
        if scope["type"] != "http":
            raise RuntimeError(f"a study serves no {scope['type']}")
        response = _Response(send, self._headers)
        try:
            try:
                body = await self._checked_body(scope, receive)
            except RefusedError as error:
                await response.refuse(error, closes=True)
                return
            await self.app(scope, _whole(body, receive), response.send)
        except Exception:
            log.exception("%s %.200r failed", scope["method"], scope["path"])
            await response.refuse(RefusedError(*refusal.FAILURE))

    async def _checked_body(self, scope: Scope, receive: Receive) -> bytes:
        """The request's body, after everything that can be said without the application."""
        if _head_bytes(scope) > HEAD_BYTES:
            raise RefusedError(*refusal.LONG_HEAD)
        headers: dict[bytes, bytes] = dict(scope["headers"])
        host = headers.get(b"host", b"").decode("latin-1")
        if not self.hosts.has(host):
            raise RefusedError(*refusal.WRONG_HOST)
        wait = self._addresses.wait(sender_of((scope.get("client") or ("",))[0]))
        if wait:
            raise refusal.too_many(wait)
        if scope["method"] in READS:
            if headers.get(b"content-length", b"0") != b"0" or b"transfer-encoding" in headers:
                raise RefusedError(*refusal.MALFORMED)
            return b""
        _check_origin(headers, host)
        limit = ANSWER_BYTES if scope["path"] == ANSWER_PATH else OTHER_BYTES
        body = await self._limited_body(headers, receive, limit)
        if body and not _is_json(headers):
            raise RefusedError(*refusal.NOT_JSON)
        return body

    async def _limited_body(
        self, headers: dict[bytes, bytes], receive: Receive, limit: int
    ) -> bytes:
        """The body; none of one that says, or turns out, to be longer than the limit is kept."""
        announced = headers.get(b"content-length", b"0")
        if not announced.isdigit() or int(announced[:12]) > limit or len(announced) > 12:
            raise RefusedError(*refusal.TOO_LARGE)
        try:
            return await asyncio.wait_for(self._received(receive, limit), BODY_SECONDS)
        except TimeoutError:
            raise RefusedError(*refusal.TOO_SLOW) from None

    async def _received(self, receive: Receive, limit: int) -> bytes:
        body, held, more = bytearray(), 0, True
        try:
            while more:
                message = await receive()
                if message["type"] == "http.disconnect":
                    raise RefusedError(*refusal.MALFORMED)
                body += message.get("body", b"")
                more = message.get("more_body", False)
                if len(body) > limit:
                    raise RefusedError(*refusal.TOO_LARGE)
                grown = max(len(body) - OTHER_BYTES, 0) - held
                self._held, held = self._held + grown, held + grown
                if self._held > HELD_BYTES:
                    raise refusal.too_many(1)
        finally:
            self._held -= held
        return bytes(body)


class _Response:
    """What is sent back, with the headers of every response."""

    def __init__(self, send: Send, headers: list[tuple[bytes, bytes]]) -> None:
        self._send, self._headers = send, headers
        self._started = self._ended = False

    async def send(self, message: Message) -> None:
        if message["type"] == "http.response.start":
            self._started = True
            names = {name for name, _ in message["headers"]}
            added = [one for one in self._headers if one[0] not in names]
            message = {**message, "headers": [*message["headers"], *added]}
        else:
            self._ended = not message.get("more_body", False)
        await self._send(message)

    async def refuse(self, error: RefusedError, *, closes: bool = False) -> None:
        """Send a refusal, unless there was a response. One that was not ended is broken off.

        closes: whether the connection ends, so that the rest of the request is not waited for.
        """
        if self._ended:
            return
        if self._started:
            raise ConnectionAbortedError("a response ended early") from error
        headers = {"Content-Type": "application/json", "Content-Length": str(len(error.body))}
        given = {**headers, **error.headers, **({"Connection": "close"} if closes else {})}
        encoded = [(name.lower().encode(), text.encode()) for name, text in given.items()]
        status = error.status
        await self.send({"type": "http.response.start", "status": status, "headers": encoded})
        await self.send({"type": "http.response.body", "body": error.body})


def _head_bytes(scope: Scope) -> int:
    """About the size of a request's head; the server limits only what comes in pieces."""
    fields = sum(len(name) + len(value) + 4 for name, value in scope["headers"])
    return fields + len(scope["path"]) + len(scope["query_string"])


def _check_origin(headers: dict[bytes, bytes], host: str) -> None:
    """Refuse what a page of another site can make a browser send."""
    origin = headers.get(b"origin")
    own = origin is None or _network_location(origin) == host.lower()
    site = headers.get(b"sec-fetch-site", b"same-origin")
    if not own or headers.get(_MARK) != b"1" or site not in (b"same-origin", b"none"):
        raise RefusedError(*refusal.FOREIGN)


def _network_location(origin: bytes) -> str:
    try:
        return urlsplit(origin.decode("latin-1")).netloc.lower()
    except ValueError:
        return ""


def _is_json(headers: dict[bytes, bytes]) -> bool:
    kind = headers.get(b"content-type", b"").partition(b";")[0]
    return kind.strip().lower() == b"application/json"


def _whole(body: bytes, receive: Receive) -> Receive:
    """Receives the body at once, then what the server says, which is that the browser has left."""
    messages = [{"type": "http.request", "body": body, "more_body": False}]

    async def next_message() -> Message:
        return messages.pop() if messages else await receive()

    return next_message
