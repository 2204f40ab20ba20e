"""Files that only their owner may read, such as keys; no one else can even while they are made."""

from __future__ import annotations

import os
import secrets
from contextlib import suppress
from pathlib import Path

from snellen.disk.storage_error import unwritable
from snellen.errors import UserError

OTHERS = 0o077
"""The permissions of everyone but the owner."""


def read_private(path: Path) -> bytes | None:
    """The content, None where there is no such file; an error if others may read it."""
    try:
        found = path.stat()
    except FileNotFoundError:
        return None
    if hasattr(os, "getuid") and (found.st_uid != os.getuid() or found.st_mode & OTHERS):
        raise UserError(
            f"{path}: others may read this file (mode {found.st_mode & 0o777:o}), which holds a "
            "secret. Delete it, so that a new one is made, and sessions or tokens made with it end."
        )
    return path.read_bytes()


def write_private(path: Path, content: bytes, *, replace: bool = False) -> None:
    """Write a file with mode 0600, completely or not at all, in a folder with mode 0700.

    replace: whether a file that exists is overwritten; otherwise it is left as it is.
    """
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        draft = path.with_name(f".{path.name}.{secrets.token_hex(6)}")
        try:
            with os.fdopen(
                os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb"
            ) as file:
                file.write(content)
                file.flush()
                os.fsync(file.fileno())
            if replace:
                draft.replace(path)
            else:
                with suppress(FileExistsError):
                    os.link(draft, path)
        finally:
            draft.unlink(missing_ok=True)
    except OSError as error:
        raise unwritable(path, error) from error
