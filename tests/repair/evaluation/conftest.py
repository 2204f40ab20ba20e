"""Planted runs by name."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.repair.evaluation.planted_runs import place, replay_of

Runs = Callable[..., Path]


@pytest.fixture
def planted(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Runs:
    """The folder of a replay (or of the run itself, `run`) by its name; not to be written to."""
    folder = place(tmp_path_factory)
    monkeypatch.setenv("SNELLEN_CACHE", str(folder / "cache"))
    return lambda name, method="robustness": replay_of(folder, method, name)
