"""What the how-to page shows is true."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
import typer.main
from typer import Typer

from snellen.cli import export

PAGE = (Path(__file__).parents[3] / "docs" / "how-to" / "retraining-sets.md").read_text("utf-8")


def test_the_python_example_runs(run: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(run.parent)
    [example] = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)
    exec(example, {})
    assert (run.parent / "retrain" / "data.yaml").is_file()


def test_every_option_is_on_the_page_with_its_default() -> None:
    app = Typer(add_completion=False)
    app.command()(export.export)
    options = {
        one.opts[0]: one.default
        for one in typer.main.get_command(app).params
        if one.opts[0].startswith("--") and one.opts[0] != "--help"
    }
    shown = dict(re.findall(r"^\| `(--[a-z-]+) ?([^`]*)`", PAGE, re.MULTILINE))
    assert set(shown) == set(options) - {"--retrain", "--out"}
    for name, output in shown.items():
        if output not in ("", "FILE") and options[name] is not None:
            assert output == str(getattr(options[name], "value", options[name])), name
