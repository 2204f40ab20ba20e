"""Commands by name: imported when they are used, and brought by other packages too."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from snellen.cli.command_group import COMMANDS
from tests.cli.test_commands import modules_after
from tests.processes import Done, fresh

HELLO = '''
import typer
def hello(name: str) -> None:
    """Greet somebody."""
    typer.echo(f"hello {name}")
'''


@pytest.fixture
def plugin(tmp_path: Path) -> Path:
    """A folder with an installed package that brings commands, one of which does not import."""
    info = tmp_path / "thing-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: thing\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text(
        "[snellen.commands]\nhello = thing:hello\nobjects greet = thing:hello\n"
        "broken = thing_broken:hello\nrun = thing:hello\n"
    )
    (tmp_path / "thing.py").write_text(HELLO)
    (tmp_path / "thing_broken.py").write_text("raise RuntimeError('out of order')\n")
    return tmp_path


def called(plugin: Path, *arguments: str) -> Done:
    path = os.pathsep.join([str(plugin), os.environ.get("PYTHONPATH", "")])
    return fresh(["snellen", *arguments], plugin, {**os.environ, "PYTHONPATH": path})


@pytest.mark.parametrize("name", COMMANDS.builtin)
def test_every_command_has_a_help_text_of_one_sentence(name: str) -> None:
    found = COMMANDS.load(name)
    text = found.__doc__ if callable(found) and not hasattr(found, "info") else found.info.help
    assert text.splitlines()[0].endswith(".")


def test_a_command_is_imported_without_the_others() -> None:
    loaded = modules_after(
        "import sys; from snellen.cli.main import app\n"
        "sys.argv = ['snellen', 'schema', '--help']\n"
        "try: app()\nexcept SystemExit: pass"
    )
    assert "snellen.cli.schema" in loaded
    assert not [name for name in loaded if name.startswith("snellen.methods.insertion")]


def test_a_plugin_adds_a_command_and_one_to_a_group(plugin: Path) -> None:
    assert called(plugin, "hello", "Ada").stdout == "hello Ada\n"
    assert called(plugin, "objects", "greet", "Ada").stdout == "hello Ada\n"
    listed = called(plugin, "--help")
    assert "hello          Greet somebody." in listed.stdout
    assert "Greet somebody." in called(plugin, "objects", "--help").stdout
    assert "'hello'" in called(plugin, "helo", "Ada").stderr


def test_a_broken_plugin_is_reported_and_the_other_commands_work(plugin: Path) -> None:
    listed = called(plugin, "--help")
    assert listed.returncode == 0
    assert "\n  broken" not in listed.stdout
    assert "out of order" in listed.stderr
    refused = called(plugin, "broken")
    assert refused.returncode == 2
    assert "thing_broken:hello" in refused.stderr
    assert "Traceback" not in refused.stderr


def test_a_plugin_cannot_take_over_a_command_of_ours(plugin: Path) -> None:
    assert "hello" not in called(plugin, "run", "Ada").stdout
