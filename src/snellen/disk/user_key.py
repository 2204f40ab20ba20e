"""The user's own key on this machine, by which their files are recognised."""

from __future__ import annotations

import os
import secrets
from pathlib import Path

from snellen.disk.private_file import write_private

NAME = "key"
SIZE = 32
"""Bytes of a key."""


def state_folder() -> Path:
    """The folder of what Snellen keeps for the user and can't recreate; it may not exist.

    `SNELLEN_STATE` if set, otherwise `snellen` under `XDG_STATE_HOME` or `~/.local/state`.
    """
    given = os.environ.get("SNELLEN_STATE")
    base = os.environ.get("XDG_STATE_HOME")
    if given:
        return Path(given)
    return (Path(base) if base else Path.home() / ".local" / "state") / "snellen"


def user_key() -> bytes | None:
    """The key, made on first use with mode 0600; None where there is none and none can be made.

    A key that others can read, or that belongs to another user, proves nothing. The first is
    replaced, so that nothing it vouched for counts any more; the second is not used.
    """
    try:
        path = state_folder() / NAME
        return _usable(path) or _made(path)
    except (OSError, RuntimeError):  # RuntimeError: the user has no home
        return None


def _usable(path: Path) -> bytes | None:
    try:
        found = path.stat()
    except FileNotFoundError:
        return None
    if hasattr(os, "getuid"):
        if found.st_uid != os.getuid():
            raise PermissionError(f"{path}: belongs to another user")
        if found.st_mode & 0o077:
            path.unlink()
            return None
    key = path.read_bytes()
    if len(key) == SIZE:
        return key
    path.unlink()
    return None


def _made(path: Path) -> bytes | None:
    """A new key, or the one that another process has just made."""
    write_private(path, secrets.token_bytes(SIZE))
    return _usable(path)
