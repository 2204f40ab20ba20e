"""Whether a path from a file names something; no for a name that no file system can have."""

from __future__ import annotations

import os
import stat
from pathlib import Path


def is_file(path: Path) -> bool:
    r"""Whether the path is a file.

    >>> is_file(Path("n" * 300)), is_file(Path("a\0b"))
    (False, False)
    """
    found = _mode(path)
    return found is not None and stat.S_ISREG(found)


def is_folder(path: Path) -> bool:
    """Whether the path is a folder."""
    found = _mode(path)
    return found is not None and stat.S_ISDIR(found)


def exists(path: Path) -> bool:
    """Whether the path is there."""
    return _mode(path) is not None


def _mode(path: Path) -> int | None:
    try:
        return os.stat(path).st_mode  # noqa: PTH116  (the fastest, for each of many images)
    except (OSError, ValueError):
        return None
