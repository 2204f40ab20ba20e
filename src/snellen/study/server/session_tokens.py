"""Session tokens: a participant's code, an expiry and a signature that only the study can make."""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
import secrets
import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from snellen.disk.private_file import read_private, write_private
from snellen.errors import UserError

KEYS = "session-keys.json"
LIFETIME = 14 * 86_400.0
"""Seconds for which a token is valid."""
ROTATION = 30 * 86_400.0
"""Seconds after which tokens are signed with a new key."""
LONGEST = 300
"""Characters of a token; a longer text is not looked at."""
_PURPOSE = b"snellen study session 1\0"


@dataclass(frozen=True)
class SessionKey:
    """A key of a study. id: by which tokens name it. key: 32 bytes as hex. made: Unix time."""

    id: str
    key: str
    made: float


@dataclass(frozen=True)
class SessionTokens:
    """Issues and checks tokens `KEY.CODE.EXPIRY.SIGNATURE`. keys: the newest first, which signs."""

    keys: Sequence[SessionKey]
    clock: Callable[[], float] = time.time

    def issue(self, code: str) -> str:
        """A token for the participant of a code."""
        expiry = int(self.clock() + LIFETIME)
        text = f"{self.keys[0].id}.{code}.{expiry:x}"
        return f"{text}.{_signature(self.keys[0], text)}"

    def code_of(self, token: str) -> str | None:
        """The code in a token that this study signed and that has not expired, else None."""
        text, _, signature = token.rpartition(".")
        parts = text.split(".")
        if len(token) > LONGEST or len(parts) != 3:
            return None
        key = next((one for one in self.keys if one.id == parts[0]), None)
        if key is None or not _same(_signature(key, text), signature):
            return None
        return parts[1] if int(parts[2], 16) > self.clock() else None


def session_tokens(folder: Path, clock: Callable[[], float] = time.time) -> SessionTokens:
    """The tokens of a study whose keys are in `folder`; a new key is made when it is time.

    A key that no longer signs is kept for as long as its tokens are valid.
    """
    path, now = folder / KEYS, clock()
    found = _read_keys(path)
    keys = [one for one in found if now - one.made < ROTATION + LIFETIME]
    if not keys or now - keys[0].made >= ROTATION:
        keys.insert(0, SessionKey(secrets.token_hex(4), secrets.token_hex(32), now))
        text = json.dumps([asdict(one) for one in keys], indent=1)
        write_private(path, text.encode(), replace=bool(found))
        keys = _read_keys(path)  # those of another server that has just started, too
    return SessionTokens(tuple(keys), clock)


def _read_keys(path: Path) -> list[SessionKey]:
    content = read_private(path)
    if content is None:
        return []
    try:
        keys = [SessionKey(**one) for one in json.loads(content)]
        if not keys:
            raise ValueError("no key")
        return keys
    except (TypeError, ValueError) as error:
        raise UserError(
            f"{path}: does not hold session keys. Delete it; participants then start again."
        ) from error


def _signature(key: SessionKey, text: str) -> str:
    digest = hmac.digest(bytes.fromhex(key.key), _PURPOSE + text.encode(), hashlib.sha256)
    return base64.urlsafe_b64encode(digest).rstrip(b"=").decode()


def _same(one: str, other: str) -> bool:
    """Whether two texts are equal, in a time that says nothing of where they differ."""
    return hmac.compare_digest(one.encode(), other.encode("utf-8", "surrogatepass"))
