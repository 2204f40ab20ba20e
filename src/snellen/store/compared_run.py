"""One of two compared runs, read from its folder."""

from __future__ import annotations

import json
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
        found: Mapping[str, Any] = self.config.get(self.method) or {}
        return found

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

    def data(self, key: str) -> dict[str, Any]:
        """A part of the configuration, `scenes` or `objects`, with absolute paths."""
        base = Path(self.config.get("base") or self.folder)
        return {
            name: _absolute(value, base) for name, value in (self.config.get(key) or {}).items()
        }


def _absolute(value: Any, base: Path) -> Any:
    if isinstance(value, str) and (base / value).exists():
        return str((base / value).resolve())
    return value
