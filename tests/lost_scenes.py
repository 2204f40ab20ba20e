"""Runs whose scenes and objects can't be read any more."""

from __future__ import annotations

from typing import Any

import pytest

from snellen.errors import UserError
from snellen.methods.kind import METHODS
from snellen.plugins import Registry


def lose_scenes(monkeypatch: pytest.MonkeyPatch) -> None:
    """From now on every reader fails; methods are still there."""
    load = Registry.load

    def gone(self: Registry, kind: str) -> Any:
        if self is METHODS:
            return load(self, kind)
        raise UserError(f"no {kind} any more")

    monkeypatch.setattr(Registry, "load", gone)
