"""Every example configuration runs as it is."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

import snellen as sn

ROOT = Path(__file__).parents[1] / "examples"
CONFIGURATIONS = sorted(path.relative_to(ROOT) for path in ROOT.rglob("*.yaml"))


@pytest.mark.parametrize("path", CONFIGURATIONS, ids=str)
def test_an_example_runs(path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SNELLEN_CACHE", str(tmp_path / "cache"))
    shutil.copytree(ROOT, tmp_path / "examples", ignore=shutil.ignore_patterns("runs"))
    summary = sn.run(tmp_path / "examples" / path)
    assert summary["units"]["errors"] == 0
    assert summary["cases"] > 0
