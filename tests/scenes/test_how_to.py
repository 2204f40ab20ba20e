"""The examples of the how-to page are valid, and its claims about all kinds hold."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
import yaml

from snellen.configuration import parse
from snellen.scenes.registry import READERS
from tests.scenes.samples import write_image

PAGE = Path(__file__).parents[2] / "docs" / "how-to" / "scenes.md"


def _blocks(language: str) -> list[str]:
    return re.findall(rf"```{language}\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)


@pytest.mark.parametrize("block", _blocks("yaml"))
def test_each_configuration_of_the_page_is_valid(block: str) -> None:
    values = yaml.safe_load(block)["scenes"]
    parse(READERS.load(values["kind"]).options, values, "scenes")


def test_every_format_is_on_the_page() -> None:
    shown = {yaml.safe_load(block)["scenes"]["kind"] for block in _blocks("yaml")}
    assert shown == {*READERS.builtin, "streets"} - {"synthetic"}


def test_the_python_example_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write_image(tmp_path / "photos" / "a.png")
    monkeypatch.chdir(tmp_path)
    (example,) = _blocks("python")
    exec(example, {})
    assert [path.name for path in Path("copy").iterdir()] == ["a.png"]
