"""Version 1 of the protocol between Snellen and a program: the content of each JSON line."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from snellen.errors import SubjectError, UserError
from snellen.errors.plain_text import escaped

VERSION = 1
LONGEST_QUOTE = 200


@dataclass(frozen=True)
class Ready:
    """A program's self-description in its first line; all fields are optional."""

    name: str | None = None
    classes: tuple[str, ...] | None = None
    version: str = ""


def request(index: int, path: Path, shape: tuple[int, ...], left: int) -> str:
    """The request for one image; `left` more images of the batch follow.

    >>> request(0, Path("a.png"), (20, 30, 3), 1)
    '{"id": 0, "image": "a.png", "width": 30, "height": 20, "left": 1}'
    """
    return json.dumps(
        {
            "id": index,
            "image": str(path),
            "width": int(shape[1]),
            "height": int(shape[0]),
            "left": left,
        }
    )


def parse_ready(line: str) -> Ready:
    """The self-description in a program's first line.

    >>> parse_ready('{"snellen": 1, "classes": ["cat", "dog"]}').classes
    ('cat', 'dog')
    """
    fields = _object(line)
    if fields is None or "snellen" not in fields:
        raise UserError(
            f"subject.command: the program's first line is {quoted(line)}, expected one such as "
            '{"snellen": 1, "classes": ["cat", "dog"]}. Write other text to stderr.'
        )
    if fields["snellen"] != VERSION:
        raise UserError(
            f"subject.command: the program uses version {fields['snellen']!r} of the protocol, "
            f"expected {VERSION}. Update the program."
        )
    classes = fields.get("classes")
    if classes is not None and not (
        isinstance(classes, list) and all(isinstance(name, str) for name in classes)
    ):
        raise UserError(
            f"subject.command: the program's classes are {quoted(json.dumps(classes))}, expected a "
            "list of names"
        )
    name = fields.get("name")
    return Ready(
        None if name is None else str(name),
        tuple(classes) if classes else None,
        str(fields.get("version", "")),
    )


def parse_answer(line: str, expected: int) -> tuple[int, Mapping[str, Any]]:
    """The id and the answer in a line; without an id, the `expected` one."""
    answer = _object(line)
    if answer is None:
        raise SubjectError(
            f"the program wrote {quoted(line)} to stdout, expected one JSON object per line. "
            "Write other text to stderr."
        )
    index = answer.get("id", expected)
    if not isinstance(index, int) or isinstance(index, bool):
        raise SubjectError(f"the program answered id {index!r}, expected the id of the request")
    return index, answer


def quoted(line: str) -> str:
    """A line in quotes, truncated if it is long."""
    short = line if len(line) <= LONGEST_QUOTE else line[:LONGEST_QUOTE] + "..."
    return f"'{escaped(short)}'"


def _object(line: str) -> dict[str, Any] | None:
    try:
        value = json.loads(line)
    except (ValueError, RecursionError):
        return None
    if not isinstance(value, dict):
        return None
    return _escaped_values(value) if _SURROGATE.search(line) else value


_SURROGATE = re.compile(r"[\ud800-\udfff]|\\u[dD][89a-fA-F]")
"""What may become text that is not UTF-8: a byte that was none, or a JSON escape."""


def _escaped_values(value: Any) -> Any:
    if isinstance(value, str):
        return escaped(value)
    if isinstance(value, dict):
        return {escaped(key): _escaped_values(one) for key, one in value.items()}
    return [_escaped_values(one) for one in value] if isinstance(value, list) else value
