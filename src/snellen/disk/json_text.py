"""JSON to plain values, with limits that keep a hostile file from filling time or memory.

All functions raise `ValueError` for what is wrong with a text, whatever it is.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

DEPTH = 100
"""Lists and objects inside one another."""
WHOLE = 1 << 64
"""Whole numbers are smaller in size."""
CHUNK = 1 << 20
DENSE = 5
"""A megabyte with a bracket in fewer bytes than this on average holds nothing but brackets."""
SMALL = 64 << 20
"""Bytes of a file that holds no data set."""


def read_json(path: Path) -> Any:
    """The value in a file of any size, such as a data set."""
    return parse_json(read_json_text(path))


def read_json_text(path: Path) -> str:
    """The text of a file of any size, which is not all brackets."""
    data = bytearray()
    with path.open("rb") as file:
        while part := file.read(CHUNK):
            _check_brackets(part)
            if len(data) == CHUNK:
                _check_start(bytes(data))
            data += part
    text = data.decode(json.detect_encoding(data), "surrogatepass")
    data.clear()  # not held beside its text and its values
    return text


def read_small_json(path: Path) -> Any:
    """The value in a file of at most 64 MB, checked like `checked_json`."""
    with path.open("rb") as file:
        data = file.read(SMALL + 1)
    if len(data) > SMALL:
        raise ValueError(f"it has more than {SMALL >> 20} MB")
    return checked_json(data)


def parse_json(text: str | bytes) -> Any:
    """The value of a text."""
    try:
        return json.loads(text)
    except RecursionError:
        raise ValueError("too many lists and objects in one another") from None


def checked_json(text: str | bytes) -> Any:
    """The value of a text, which has nothing that can't be shown, computed with or saved again."""
    value = parse_json(text)
    _check(value)
    return value


def _check(value: Any) -> None:
    """Walks level by level, as deep values would exhaust the stack."""
    level = [value]
    for _ in range(DEPTH + 1):
        inner: list[Any] = []
        for one in level:
            if isinstance(one, dict):
                inner += one.keys()
                inner += one.values()
            elif isinstance(one, list):
                inner += one
            elif isinstance(one, str):
                if not one.isascii():
                    one.encode()
            elif isinstance(one, int) and abs(one) >= WHOLE:
                raise ValueError("a whole number has more than 64 bits")
        if not inner:
            return
        level = inner
    raise ValueError(f"more than {DEPTH} lists and objects in one another")


def _check_brackets(part: bytes) -> None:
    if len(part) == CHUNK and DENSE * (part.count(b"[") + part.count(b"{")) > CHUNK:
        raise ValueError("it holds nothing but brackets")


def _check_start(part: bytes) -> None:
    """Refuse a large file that starts by nesting too deeply, before the rest of it is read."""
    try:
        json.loads(part.decode("utf-8", "replace"))
    except RecursionError:
        raise ValueError("too many lists and objects in one another") from None
    except ValueError:
        pass
