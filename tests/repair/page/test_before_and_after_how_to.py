"""The example of the how-to page runs, with planted subjects in place of a trained one."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from tests.repair.evaluation.conftest import Runs

GUIDE = Path(__file__).parents[3] / "docs" / "how-to" / "before-and-after.md"


def test_the_example_runs(planted: Runs, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    found = re.search(r"```python\n(.*?)```", GUIDE.read_text(encoding="utf-8"), re.DOTALL)
    assert found is not None
    code = found[1].replace('Path("runs/held-out")', f"Path({str(planted('run'))!r})")
    code = re.sub(r'\{"kind": "torch".*?\}', '{"kind": "planted"}', code, flags=re.DOTALL)
    code = re.sub(
        r"open_scenes\(\{.*?\}", 'open_scenes({"kind": "synthetic", "seed": 77, "count": 2}', code
    )
    code = code.replace("trained_on=[", "by_id=False, trained_on=[")
    monkeypatch.chdir(tmp_path)
    output: dict[str, Any] = {}
    exec(compile(code, str(GUIDE), "exec"), output)
    assert output["found"].verdict == "more robust"
    assert (tmp_path / "repair" / "repair.html").is_file()


def test_every_key_of_the_json_is_documented(planted: Runs) -> None:
    from tests.repair.page.test_page import named

    text = GUIDE.read_text(encoding="utf-8")
    keys = named(planted, "mended", "mended").to_json()
    assert [key for key in keys if f"`{key}`" not in text] == []
