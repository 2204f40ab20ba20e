"""A voucher: the last line of a text file, by which its writer recognises it.

It is an HMAC of the text under the user's own key. A file that came from another user or another
machine, or that was changed, has none that fits. It also covers the file's name and the folder that
its relative paths start at, so that it fits no other use of the same text.
"""

from __future__ import annotations

import hashlib
import hmac
import os
from pathlib import Path

from snellen.disk.user_key import user_key

MARK = b"# voucher: "


def vouched(text: bytes, name: str, base: Path) -> bytes:
    """The text with a voucher; without one where the user has no key.

    name: of the file. base: the folder that its relative paths start at.
    """
    key = user_key()
    return text if key is None else text + MARK + _voucher(key, text, name, base) + b"\n"


def is_vouched(file: Path, base: Path) -> bool:
    """Whether this user wrote the file, as it is, on this machine."""
    try:
        text, mark, found = file.read_bytes().rpartition(MARK)
    except OSError:
        return False
    key = user_key() if mark else None
    return key is not None and hmac.compare_digest(
        found.strip(), _voucher(key, text, file.name, base)
    )


def _voucher(key: bytes, text: bytes, name: str, base: Path) -> bytes:
    parts = b"\0".join([os.fsencode(name), os.fsencode(base.resolve()), text])
    return hmac.new(key, parts, hashlib.sha256).hexdigest().encode()
