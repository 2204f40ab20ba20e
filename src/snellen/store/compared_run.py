"""One of two compared runs, read from its folder."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from snellen.store.journal import Journal


@dataclass(frozen=True, eq=False)
class ComparedRun:
    """One of the two runs. letter: A or B. config: its resolved configuration."""

    letter: str
    folder: Path
    journal: Journal
    config: Mapping[str, Any]

    @property
    def method(self) -> str:
        """The method's name."""
        return str(self.journal.get("method"))

    @cached_property
    def subject(self) -> dict[str, Any]:
        """The subject's traits."""
        return dict(self.journal.get("subject"))

    @property
    def options(self) -> Mapping[str, Any]:
        """The method's options."""
        return self.written(self.method)

    @property
    def base(self) -> Path:
        """The folder that relative paths of the configuration start at; it may be gone."""
        return Path(self.config.get("base") or self.folder)

    @property
    def finished(self) -> bool:
        """Whether the run came to its end."""
        return self.journal.get("finished") is not None

    @cached_property
    def failed(self) -> frozenset[str]:
        """The ids of the scenes whose examination ended in an error."""
        rows = self.journal.rows("SELECT DISTINCT scene FROM units WHERE status = 'error'")
        return frozenset(scene for (scene,) in rows)

    @cached_property
    def scenes(self) -> frozenset[str]:
        """The ids of the scenes whose examination finished."""
        rows = self.journal.rows("SELECT DISTINCT scene FROM units WHERE status = 'done'")
        return frozenset(scene for (scene,) in rows)

    @cached_property
    def notes(self) -> dict[str, dict[str, Any]]:
        """The method's notes on each unit, by id, in the method's order."""
        rows = self.journal.rows(
            "SELECT id, notes FROM units WHERE status = 'done' ORDER BY number"
        )
        return {id: json.loads(text) for id, text in rows}

    def written(self, key: str) -> Mapping[str, Any]:
        """A section of the configuration, such as `scenes`; empty if it has none."""
        found: Mapping[str, Any] = self.config.get(key) or {}
        return found

    def data(self, key: str) -> dict[str, Any]:
        """A section of the configuration with absolute paths."""
        return {name: _absolute(value, self.base) for name, value in self.written(key).items()}

    def unlike(self, other: ComparedRun, key: str) -> list[str]:
        """The names in a section whose values differ between two runs, sorted.

        Paths are compared as written where a run's folder of data is gone: it may have been run on
        another machine.
        """
        known = _is_folder(self.base) and _is_folder(other.base)
        a, b = (one.data(key) if known else one.written(key) for one in (self, other))
        return sorted(name for name in {*a, *b} if a.get(name) != b.get(name))


def _is_folder(path: Path) -> bool:
    """Whether it is a folder that this user can look into."""
    return os.access(path, os.R_OK | os.X_OK) and path.is_dir()


def _absolute(value: Any, base: Path) -> Any:
    if isinstance(value, str) and (base / value).exists():
        return str((base / value).resolve())
    return value
