"""Values from the environment: `${NAME}` in a text of a configuration.

A configuration keeps them as they are written, wherever it is stored or shown. They are read when
what they describe is opened, and from then on shown as they are written.
"""

from __future__ import annotations

import os
import re
from typing import Any

from snellen.errors import UserError
from snellen.errors.redaction import hide, is_secret, may_be_secret

REFERENCE = re.compile(r"\$\{([^${}]*)\}")
NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")


class EnvironmentText(str):
    """A text with values from the environment: what is in them is no reference."""

    __slots__ = ()


def expanded(values: Any, place: str) -> Any:
    """Nested values with each `${NAME}` in a text replaced by that environment variable.

    place: where the values stand, for messages. `kind` stays as it is written: what a section runs
    can be read in the file.

    >>> os.environ["SNELLEN_EXAMPLE"] = "val"
    >>> expanded({"kind": "coco", "images": "${SNELLEN_EXAMPLE}/images"}, "scenes")
    {'kind': 'coco', 'images': 'val/images'}
    """
    if isinstance(values, dict):
        return {
            key: one if key == "kind" else expanded(one, f"{place}.{key}")
            for key, one in values.items()
        }
    if isinstance(values, list | tuple):
        return [expanded(one, f"{place}.{number}") for number, one in enumerate(values)]
    if not isinstance(values, str) or isinstance(values, EnvironmentText):
        return values
    return _expanded_text(values, place) if REFERENCE.search(values) else values


def is_reference(text: str) -> bool:
    """Whether a text takes a value from the environment."""
    return REFERENCE.search(text) is not None


def _expanded_text(text: str, place: str) -> EnvironmentText:
    keys = place.rpartition(": ")[2].split(".")

    def value(found: re.Match[str]) -> str:
        name = found[1]
        if not NAME.fullmatch(name):
            raise UserError(
                f"{place}: found '{found[0]}', expected the name of an environment variable, such "
                "as ${API_TOKEN}. Correct it."
            )
        known = os.environ.get(name)
        if known is None:
            raise UserError(
                f"{place}: takes '{found[0]}' from the environment, where {name} is not set. Set "
                "it in the shell that runs snellen.",
                next=f"export {name}=...",
            )
        hide(known, found[0], secret=may_be_secret(name) or any(map(is_secret, keys)))
        return known

    return EnvironmentText(REFERENCE.sub(value, text))
