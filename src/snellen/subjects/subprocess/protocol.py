"""Version 1 of the protocol between Snellen and a program: what each JSON line holds."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from snellen.errors import SubjectError, UserError

VERSION = 1
LONGEST_QUOTE = 200


@dataclass(frozen=True)
class Ready:
    """What a program says of itself in its first line, all of it optional but the protocol."""

    name: str | None = None
    classes: tuple[str, ...] | None = None
    version: str = ""


def request(index: int, path: Path, shape: tuple[int, ...], left: int) -> str:
    """The line that asks for one image; `left` images of the batch follow it.

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
    """What a program's first line says.

    >>> parse_ready('{"snellen": 1, "classes": ["cat", "dog"]}').classes
    ('cat', 'dog')
    """
    fields = _object(line)
    if fields is None or "snellen" not in fields:
        raise UserError(
            f"subject.command: the program's first line is {quoted(line)}, expected that it is "
            'ready, such as {"snellen": 1, "classes": ["cat", "dog"]}. Send other text to stderr.'
        )
    if fields["snellen"] != VERSION:
        raise UserError(
            f"subject.command: the program speaks version {fields['snellen']!r} of the protocol, "
            f"expected {VERSION}"
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
    """The id and the answer in a line; without an id, it is the `expected` one."""
    answer = _object(line)
    if answer is None:
        raise SubjectError(
            f"the program wrote {quoted(line)} to stdout, expected one JSON object a line. "
            "Send other text to stderr."
        )
    index = answer.get("id", expected)
    if not isinstance(index, int) or isinstance(index, bool):
        raise SubjectError(f"the program answered the id {index!r}, expected the number it got")
    return index, answer


def quoted(line: str) -> str:
    """A line in quotes, its end cut off if it is long."""
    short = line if len(line) <= LONGEST_QUOTE else line[:LONGEST_QUOTE] + "..."
    return f"'{short}'"


def _object(line: str) -> dict[str, Any] | None:
    try:
        value = json.loads(line)
    except ValueError:
        return None
    return value if isinstance(value, dict) else None
