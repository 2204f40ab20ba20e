"""A served study for each test."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.study.server.served_study import ServedStudy


@pytest.fixture
def served(tmp_path: Path) -> ServedStudy:
    return ServedStudy(tmp_path / "secrets")
