"""Shared fixtures of the tests of torch detectors."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import torch
from PIL import Image

from snellen.errors import UserError
from snellen.starter.fetch import fetch
from snellen.vision.arrays import Bytes

# One thread: the machine is shared, and sums are computed in the same order.
torch.set_num_threads(1)


@pytest.fixture(scope="session")
def starter() -> dict[str, Path]:
    """YOLOv4-tiny and photographs of the starter pack, or a skip with the reason."""
    try:
        return fetch(["yolov4-tiny", "photographs"])
    except UserError as error:
        pytest.skip(f"the starter pack cannot be fetched: {error}")


@pytest.fixture(scope="session")
def yolov4_tiny(starter: dict[str, Path]) -> Path:
    """The folder with yolov4-tiny.cfg and .weights."""
    return starter["yolov4-tiny"]


@pytest.fixture(scope="session")
def photographs(starter: dict[str, Path]) -> list[Bytes]:
    paths = sorted(starter["photographs"].rglob("*.jpg"))
    return [np.asarray(Image.open(path).convert("RGB")) for path in paths]


@pytest.fixture(autouse=True)
def own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Keep conversions of random networks out of the user's cache."""
    monkeypatch.setenv("SNELLEN_CACHE", str(tmp_path / "cache"))
