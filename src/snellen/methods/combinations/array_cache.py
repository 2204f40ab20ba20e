"""A cache of covering arrays, so that a report or a resumed run does not search again."""

from __future__ import annotations

import hashlib
import io
import json
import logging
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeAlias
from zipfile import BadZipFile

import numpy as np

from snellen import __version__
from snellen.disk.atomic_file import write_atomically
from snellen.disk.cache import cache_folder
from snellen.methods.combinations.covering.covering_array import CoveringArray
from snellen.vision.arrays import Bools

log = logging.getLogger(__name__)

VERSION = 3
"""Incremented when the same request would give another array."""
Found: TypeAlias = tuple[Bools, int]
"""The rows, and the lower bound on the rows of a complete array."""


def cached_array(asked: dict[str, Any], search: Callable[[], CoveringArray]) -> Found:
    """The array for a request: from the user's cache, or from a search, which is then cached.

    asked: plain values that determine the array. Where the cache can't be read or written, the
    search runs again.
    """
    text = json.dumps([VERSION, __version__, asked], sort_keys=True)
    name = hashlib.blake2b(text.encode(), digest_size=16).hexdigest()
    try:
        place = cache_folder("arrays") / f"{name}.npz"
    except OSError as error:
        log.warning("covering arrays are not cached: %s", error)
        return _of(search())
    found = _read(place)
    if found is None:
        found = _of(search())
        _keep(place, found)
    return found


def _of(array: CoveringArray) -> Found:
    return array.rows, array.bound


def _read(place: Path) -> Found | None:
    if not place.exists():
        return None
    try:
        with np.load(place) as kept:
            return kept["rows"].astype(bool), int(kept["bound"])
    except (OSError, ValueError, KeyError, EOFError, BadZipFile) as error:
        log.warning("%s: cannot be read: %s. Searching for the array again.", place, error)
        return None


def _keep(place: Path, found: Found) -> None:
    buffer = io.BytesIO()
    np.savez_compressed(buffer, rows=found[0], bound=np.int64(found[1]))
    try:
        write_atomically(place, buffer.getvalue())
    except OSError as error:
        log.warning("%s: cannot be written: %s", place, error.strerror)
