"""The command line as a user has it: a process of its own."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.engine.conftest import values

Snellen = Callable[..., "subprocess.CompletedProcess[str]"]


@pytest.fixture
def environment(tmp_path: Path) -> dict[str, str]:
    """The environment of the processes: a cache of their own."""
    return {**os.environ, "SNELLEN_CACHE": str(tmp_path / "cache"), "COLUMNS": "200"}


@pytest.fixture
def snellen(tmp_path: Path, environment: dict[str, str]) -> Snellen:
    """Run `snellen` with arguments in the test's folder."""

    def call(*arguments: object) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, "-m", "snellen", *map(str, arguments)],
            cwd=tmp_path,
            env=environment,
            capture_output=True,
            text=True,
            timeout=120,
            check=False,
        )

    return call


@pytest.fixture
def config(tmp_path: Path) -> Callable[..., Path]:
    """Write a configuration with some keys changed."""

    def write(**changes: Any) -> Path:
        path = tmp_path / "snellen.yaml"
        path.write_text(yaml.safe_dump(values(**changes)))
        return path

    return write
