"""Where Snellen keeps what can be made again: converted models, predictions, the starter pack."""

from __future__ import annotations

import os
from pathlib import Path


def cache_folder(name: str) -> Path:
    """The folder `name` of the user's cache, made if it is not there.

    `SNELLEN_CACHE` names the cache itself; else it is `snellen` under `XDG_CACHE_HOME`, else under
    `~/.cache`.
    """
    given = os.environ.get("SNELLEN_CACHE")
    base = os.environ.get("XDG_CACHE_HOME")
    root = Path(given) if given else (Path(base) if base else Path.home() / ".cache") / "snellen"
    folder = root / name
    folder.mkdir(parents=True, exist_ok=True)
    return folder
