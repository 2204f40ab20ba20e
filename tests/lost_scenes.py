"""Runs whose scenes and objects can't be read any more."""

from __future__ import annotations

from typing import Any

import pytest

from snellen.errors import UserError
from snellen.plugins import Registry
from snellen.scenes.registry import READERS


def lose_scenes(monkeypatch: pytest.MonkeyPatch) -> None:
    """From now on every reader of scenes, and so of objects in scenes, fails."""
    load = Registry.load

    def gone(self: Registry, kind: str) -> Any:
        if self is not READERS:
            return load(self, kind)
        raise UserError(f"no {kind} any more")

    monkeypatch.setattr(Registry, "load", gone)
