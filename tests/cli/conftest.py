"""The command line as a user has it: a process of its own."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.engine.conftest import values
from tests.processes import Done, finished, fresh

Snellen = Callable[..., Done]


@pytest.fixture
def environment(tmp_path: Path) -> dict[str, str]:
    """The environment of the processes: a cache of their own."""
    return {**os.environ, "SNELLEN_CACHE": str(tmp_path / "cache"), "COLUMNS": "200"}


@pytest.fixture
def snellen(tmp_path: Path, environment: dict[str, str]) -> Snellen:
    """Run `snellen` with arguments in the test's folder."""
    return lambda *arguments: finished(["snellen", *arguments], tmp_path, environment)


@pytest.fixture
def fresh_snellen(tmp_path: Path, environment: dict[str, str]) -> Snellen:
    """The same in a Python that has imported nothing yet; slower to start."""
    return lambda *arguments: fresh(["snellen", *arguments], tmp_path, environment)


@pytest.fixture
def config(tmp_path: Path) -> Callable[..., Path]:
    """Write a configuration with some keys changed."""

    def write(**changes: Any) -> Path:
        path = tmp_path / "snellen.yaml"
        path.write_text(yaml.safe_dump(values(**changes)))
        return path

    return write
