"""What identifies the user's own code: its files, or the loaded code itself."""

from __future__ import annotations

import functools
import inspect
import secrets
from pathlib import Path
from typing import Any

from snellen.subjects.fingerprints import file_digest
from snellen.subjects.python_target import PythonTarget
from snellen.subjects.user_code.callable_digest import callable_digest

_TOKENS: dict[int, tuple[Any, str]] = {}
"""Tokens of values that nothing else identifies, with the value, so that its id stays its own."""


def identity_of(target: PythonTarget, value: Any) -> tuple[dict[str, Any], str]:
    """The parts of a fingerprint that identify the code of a target, and why answers are uncached.

    value: what is asked. Code that is in files is identified by them. Any other (of a notebook or a
    script, changed since it was loaded) is identified by itself; if that is not possible, by a
    token that no other process has, and then its answers must not be cached.
    """
    if target.current and _has_file(value):
        return {"sources": [file_digest(path) for path in target.sources]}, ""
    found = callable_digest(value)
    if found.text:
        return {"code": found.text}, ""
    _, token = _TOKENS.setdefault(id(value), (value, secrets.token_hex(8)))
    return {"token": token}, found.reason


def _has_file(value: Any) -> bool:
    """Whether the code of a callable is in a file, rather than in a notebook's cell."""
    while isinstance(value, functools.partial):
        value = value.func
    if not hasattr(value, "__code__"):  # an object: its class defines the call
        value = inspect.getattr_static(type(value), "__call__", None)
    code = getattr(value, "__code__", None)
    return code is None or Path(code.co_filename).exists()
