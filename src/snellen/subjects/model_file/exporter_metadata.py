"""What exporters write into a model: class names and the input's size, as Python literals."""

from __future__ import annotations

import ast
from collections.abc import Mapping
from typing import Any

from snellen.errors import UserError
from snellen.errors.excerpt import shown

DEFAULT_SIZE = (640, 640)
MOST_CLASSES = 1_000_000
LONGEST = 1 << 20
"""Characters of a literal; Python's parser takes long for more."""


def literal(text: str) -> Any:
    """The value of a Python literal; None for any other text."""
    if len(text) > LONGEST:
        return None
    try:
        return ast.literal_eval(text)
    except (ValueError, SyntaxError, TypeError, RecursionError, MemoryError):
        return None


def input_size(metadata: Mapping[str, str], where: str) -> tuple[int, int]:
    """(height, width) in the exporter's metadata, else 640 x 640."""
    found = literal(metadata.get("imgsz", ""))
    if not found:
        return DEFAULT_SIZE
    sides = list(found) if isinstance(found, list | tuple) else [found, found]
    if len(sides) != 2 or not all(isinstance(one, int | float) and 1 <= one < 1e9 for one in sides):
        raise UserError(
            f"{where}: its metadata have imgsz {shown(found)}, expected [height, width]. "
            "Set `size`."
        )
    return int(sides[0]), int(sides[1])


def class_names(metadata: Mapping[str, str], where: str) -> tuple[str, ...] | None:
    """The class names in the exporter's metadata, else None."""
    found = literal(metadata.get("names", ""))
    if not found:
        return None
    if isinstance(found, dict) and all(_is_number(key) for key in found):
        found = [found[key] for key in sorted(found, key=int)]
    if not isinstance(found, list | tuple):
        raise UserError(
            f"{where}: its metadata have names {shown(found)}, expected a list, or names by "
            "number. Set `classes`."
        )
    return tuple(str(name).encode("utf-8", "backslashreplace").decode() for name in found)


def _is_number(key: Any) -> bool:
    if isinstance(key, int):
        return 0 <= key < MOST_CLASSES
    return isinstance(key, str) and key.isdecimal() and len(key) < 9
