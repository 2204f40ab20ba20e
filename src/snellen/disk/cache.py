"""The cache folder, for data that can be recreated: converted models, predictions, the pack."""

from __future__ import annotations

import os
from pathlib import Path


def cache_folder(name: str) -> Path:
    """The folder `name` of the user's cache, created if missing.

    The cache is `SNELLEN_CACHE` if set, otherwise `snellen` under `XDG_CACHE_HOME` or `~/.cache`.
    """
    given = os.environ.get("SNELLEN_CACHE")
    base = os.environ.get("XDG_CACHE_HOME")
    root = Path(given) if given else (Path(base) if base else Path.home() / ".cache") / "snellen"
    folder = root / name
    folder.mkdir(parents=True, exist_ok=True)
    return folder
