"""The code of the how-to page runs as it stands there, from top to bottom."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import snellen as sn

DOCS = Path(__file__).parents[2] / "docs"


def test_the_page_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("SNELLEN_CACHE", str(tmp_path / "cache"))
    text = (DOCS / "how-to" / "python.md").read_text(encoding="utf-8")
    blocks = re.findall(r"```python\n(.*?)```", text, re.DOTALL)
    assert len(blocks) == 5
    exec(compile("\n".join(blocks), "python.md", "exec"), {"__name__": "python_how_to"})


def test_the_reference_lists_every_public_name() -> None:
    text = (DOCS / "reference" / "python.md").read_text(encoding="utf-8")
    listed = set(re.findall(r"`sn\.(\w+)`", text))
    assert listed == set(sn.__all__) - {"__version__"}
