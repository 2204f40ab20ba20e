"""Campaigns on generated scenes, each in a folder and with a cache of its own."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import yaml

from snellen.engine.campaign import Campaign, campaign_from

Write = Callable[..., Path]


@pytest.fixture(autouse=True)
def own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A cache folder that no other test has."""
    monkeypatch.setenv("SNELLEN_CACHE", str(tmp_path / "cache"))
    return tmp_path / "cache"


def values(**changes: Any) -> dict[str, Any]:
    """A small campaign: identity on generated scenes with a perfect subject."""
    base: dict[str, Any] = {
        "method": "identity",
        "seed": 3,
        "subject": {"kind": "planted"},
        "scenes": {
            "kind": "synthetic",
            "count": 12,
            "seed": 5,
            "size": [144, 192],
            "sides": [20, 36],
        },
        "engine": {"workers": 0, "backoff": 0.0},
        "out": "run",
    }
    for key, value in changes.items():
        base[key] = {**base[key], **value} if isinstance(base.get(key), dict) else value
    return base


@pytest.fixture
def campaign(tmp_path: Path) -> Callable[..., Campaign]:
    """A campaign with some keys changed."""
    return lambda **changes: campaign_from(values(**changes), tmp_path / "snellen.yaml")


@pytest.fixture
def written(tmp_path: Path) -> Write:
    """A configuration file with some keys changed."""

    def write(**changes: Any) -> Path:
        path = tmp_path / "snellen.yaml"
        path.write_text(yaml.safe_dump(values(**changes)))
        return path

    return write
