"""A folder name that is free, and how a path is shown to the user."""

from __future__ import annotations

from itertools import count
from pathlib import Path


def free_folder(folder: Path) -> Path:
    """The folder itself if it is missing or empty, else the first free of `NAME-2`, `NAME-3`..."""
    places = (folder.with_name(f"{folder.name}-{number}") for number in count(2))
    return folder if _is_free(folder) else next(one for one in places if _is_free(one))


def _is_free(folder: Path) -> bool:
    return not folder.exists() or (folder.is_dir() and not any(folder.iterdir()))


def shown_path(path: Path) -> Path:
    """The path relative to the working folder if it is inside it, else as it is."""
    here = Path.cwd()
    return path.relative_to(here) if path.is_absolute() and path.is_relative_to(here) else path
