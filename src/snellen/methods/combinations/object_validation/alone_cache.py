"""The labels of objects shown alone, in the user's cache, one file per subject.

A row's key is the digest of the recipe, which includes the object's id and the version of the
recipe. So a library may grow or shrink, and only new objects are asked about. Where the file can't
be read or written, the subject is asked again.
"""

from __future__ import annotations

import hashlib
import json
import logging
from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import TypeAlias

from snellen.disk.atomic_file import write_atomically
from snellen.disk.cache import cache_folder
from snellen.disk.lock import locked
from snellen.subjects.subject import Subject

log = logging.getLogger(__name__)

FORMAT = 1
PresentLabels: TypeAlias = tuple[int, ...]
"""Ids of the classes that are present at the subject's threshold, highest score first."""


class AloneCache:
    """The cached labels of one subject; shared by any number of processes."""

    def __init__(self, path: Path | None, classes: int) -> None:
        self._path, self._classes = path, classes

    @classmethod
    def of(cls, subject: Subject) -> AloneCache:
        """The file of a subject, by its fingerprint, threshold and classes."""
        decided = json.dumps([FORMAT, subject.fingerprint, subject.score, list(subject.classes)])
        name = hashlib.blake2b(decided.encode(), digest_size=16).hexdigest()
        try:
            return cls(cache_folder("validated") / f"{name}.json", len(subject.classes))
        except OSError as error:
            log.warning("the subject's answers about objects are not cached: %s", error)
            return cls(None, len(subject.classes))

    def read(self) -> dict[str, PresentLabels]:
        """The cached labels by recipe digest; {} from a damaged file."""
        if self._path is None or not self._path.exists():
            return {}
        try:
            return self._checked(json.loads(self._path.read_bytes()))
        except (OSError, ValueError, TypeError, AttributeError) as error:
            log.warning("%s: cannot be read: %s. Asking the subject again.", self._path, error)
            return {}

    def add(self, new: Mapping[str, PresentLabels]) -> None:
        """Add new labels to the cache."""
        if self._path is None or not new:
            return
        waiting = partial(log.info, "waiting for another process that writes %s", self._path)
        try:
            with locked(self._path.with_suffix(".lock"), waiting):
                rows = json.dumps({**self.read(), **new}, separators=(",", ":"))
                write_atomically(self._path, rows.encode())
        except OSError as error:
            log.warning("%s: cannot be written: %s", self._path, error.strerror)

    def _checked(self, rows: object) -> dict[str, PresentLabels]:
        if not isinstance(rows, dict):
            raise ValueError(f"found {type(rows).__name__}, expected digests and class ids")
        seen = {digest: tuple(ids) for digest, ids in rows.items()}
        for digest, ids in seen.items():
            if not all(isinstance(one, int) and 0 <= one < self._classes for one in ids):
                raise ValueError(f"{digest} has the class ids {list(ids)}")
        return seen
