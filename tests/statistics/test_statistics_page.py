from __future__ import annotations

import re
from pathlib import Path

import pytest

PAGE = Path(__file__).parents[2] / "docs" / "explanation" / "statistics.md"


def test_the_example_of_the_page_prints_what_the_page_says(
    capsys: pytest.CaptureFixture[str],
) -> None:
    [code] = re.findall(r"```python\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)
    exec(code, {})
    assert code.rstrip().endswith(f"# {capsys.readouterr().out.strip()}")
