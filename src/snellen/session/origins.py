"""How subjects and scene sets of this process were opened, so that a run can name their files."""

from __future__ import annotations

import weakref
from pathlib import Path
from typing import Any

Values = dict[str, Any]
_KNOWN: dict[int, tuple[weakref.ref[Any], Values, Path]] = {}


def remember_origin(value: Any, values: Values, folder: Path) -> None:
    """Remember the section of a configuration that a value was opened with.

    folder: where its relative paths start. The value need not be hashable.
    """
    key = id(value)
    _KNOWN[key] = weakref.ref(value, lambda _: _KNOWN.pop(key, None)), values, folder.resolve()


def origin_of(value: Any) -> Values | None:
    """The section that a value was opened with, for the working folder; None if it is not known."""
    found = _KNOWN.get(id(value))
    if found is None or found[0]() is not value:
        return None
    _, values, folder = found
    if folder == Path.cwd().resolve():
        return dict(values)
    return {key: _absolute(one, folder) if key != "kind" else one for key, one in values.items()}


def _absolute(value: Any, folder: Path) -> Any:
    if isinstance(value, str | Path) and (folder / value).exists():
        return str((folder / value).resolve())
    return value
