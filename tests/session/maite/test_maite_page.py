"""The example of the how-to page on MAITE runs."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

PAGE = Path(__file__).parents[3] / "docs" / "how-to" / "maite.md"


def test_the_example_runs() -> None:
    pytest.importorskip("maite", reason="the extra maite is not installed")
    [code] = re.findall(r"```python\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)
    names: dict[str, Any] = {"__name__": "page"}
    exec(compile(code, "maite.md", "exec"), names)
    assert names["values"]["AP"] == 1
