"""The token by which the owner's page is known: random, kept in a file that only they may read."""

from __future__ import annotations

import hmac
import secrets
from pathlib import Path

from snellen.disk.private_file import read_private, write_private
from snellen.errors import UserError

TOKEN = "owner-token"


def owner_token(folder: Path) -> str:
    """The token in `folder`, made on first use."""
    path = folder / TOKEN
    found = read_private(path)
    if found is None:
        write_private(path, secrets.token_urlsafe(32).encode())
        found = read_private(path) or b""
    token = found.decode("ascii", "replace").strip()
    if len(token) < 32:
        raise UserError(f"{path}: holds no token. Delete it, so that a new one is made.")
    return token


def is_owner(header: str | None, token: str) -> bool:
    """Whether an Authorization header carries the token; takes the same time for any other."""
    scheme, _, given = (header or "").partition(" ")
    same = hmac.compare_digest(given.strip().encode("utf-8", "surrogatepass"), token.encode())
    return same and scheme.lower() == "bearer"
