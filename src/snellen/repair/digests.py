"""Digests of values and of files."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any


def digest_of(*values: Any) -> str:
    """A digest of plain values; the order of a mapping's keys does not matter.

    >>> digest_of({"a": 1, "b": 2}) == digest_of({"b": 2, "a": 1}) != digest_of({"a": 1})
    True
    """
    text = json.dumps(values, sort_keys=True, default=str)
    return hashlib.blake2b(text.encode(), digest_size=16).hexdigest()


def digest_of_file(path: Path) -> str:
    """A digest of a file's bytes; "" if there is no such file."""
    if not path.is_file():
        return ""
    with path.open("rb") as file:
        return hashlib.file_digest(file, lambda: hashlib.blake2b(digest_size=16)).hexdigest()
