"""What a subject saw in objects shown alone, kept in the user's cache, one file a subject.

A row's key is the digest of what was shown, which has the object's id and the version of the recipe
in it. So a library may grow or shrink, and only what is new is asked. The file is a convenience:
where it can't be read or written, the subject is asked again.
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
"""Ids of the classes that are present at the subject's threshold, surest first."""


class AloneCache:
    """What one subject saw; shared by any number of processes."""

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
            log.warning("what the subject says of each object is not kept: %s", error)
            return cls(None, len(subject.classes))

    def read(self) -> dict[str, PresentLabels]:
        """What was seen, by the digest of what was shown; {} from a file that is damaged."""
        if self._path is None or not self._path.exists():
            return {}
        try:
            return self._checked(json.loads(self._path.read_bytes()))
        except (OSError, ValueError, TypeError, AttributeError) as error:
            log.warning("%s: cannot be read: %s. The subject is asked again.", self._path, error)
            return {}

    def add(self, new: Mapping[str, PresentLabels]) -> None:
        """Keep what was seen, beside what is there."""
        if self._path is None or not new:
            return
        waiting = partial(log.info, "another process writes %s; waiting for it", self._path)
        try:
            with locked(self._path.with_suffix(".lock"), waiting):
                rows = json.dumps({**self.read(), **new}, separators=(",", ":"))
                write_atomically(self._path, rows.encode())
        except OSError as error:
            log.warning("%s: cannot be written: %s", self._path, error)

    def _checked(self, rows: object) -> dict[str, PresentLabels]:
        if not isinstance(rows, dict):
            raise ValueError(f"found {type(rows).__name__}, expected digests and class ids")
        seen = {digest: tuple(ids) for digest, ids in rows.items()}
        for digest, ids in seen.items():
            if not all(isinstance(one, int) and 0 <= one < self._classes for one in ids):
                raise ValueError(f"{digest} has the class ids {list(ids)}")
        return seen
