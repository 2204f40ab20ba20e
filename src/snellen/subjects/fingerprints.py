"""Fingerprints: short hashes that change whenever an answer could change."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

from snellen.errors import UserError


def file_digest(path: Path) -> str:
    """BLAKE2 of a file's bytes, as 32 hexadecimal digits."""
    try:
        with path.open("rb") as file:
            return hashlib.file_digest(file, lambda: hashlib.blake2b(digest_size=16)).hexdigest()
    except FileNotFoundError:
        raise UserError(f"{path}: no such file. Check the path in the configuration.") from None
    except OSError as error:
        raise UserError(
            f"{path}: cannot be read: {error.strerror}. Check the file and its permissions."
        ) from None


def fingerprint_of(**parts: Any) -> str:
    """A hash of named parts (text, numbers, lists and mappings of them), 32 hexadecimal digits.

    >>> fingerprint_of(floor=0.05, nms=0.45) == fingerprint_of(nms=0.45, floor=0.05)
    True
    """
    text = json.dumps(parts, sort_keys=True, default=str)
    return hashlib.blake2b(text.encode(), digest_size=16).hexdigest()
