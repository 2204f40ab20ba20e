"""What `snellen --help` lists, under which heading, and in how many columns."""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import Any

import pytest
from typer.main import get_command
from typer.testing import CliRunner

from snellen.cli.command_group import COMMANDS
from snellen.cli.help_groups import OWN, grouped
from snellen.cli.main import app
from snellen.methods.commands import COMMANDS as METHOD_COMMANDS
from snellen.terminal.help_group import HelpGroup, listed_under
from tests.processes import fresh

GROUPS = ["", *[name for name in COMMANDS.builtin if hasattr(COMMANDS.load(name), "info")]]


def help_of(*words: str) -> str:
    return CliRunner().invoke(app, [*words, "--help"], env={"COLUMNS": "80"}).stdout


def sections(text: str) -> dict[str, list[str]]:
    """The first words of the lines under each heading."""
    found: dict[str, list[str]] = {}
    for line in text.splitlines():
        if line.endswith(":") and not line.startswith(" "):
            found[line[:-1]] = words = []
        elif found and line.strip():
            words.append(line.split()[0])
    return found


@pytest.mark.parametrize("group", GROUPS)
def test_every_line_of_the_help_fits_80_columns_and_is_complete(group: str) -> None:
    text = help_of(*group.split())
    assert max(map(len, text.splitlines())) <= 80
    assert "..." not in text.partition("ARGS]...")[2], "a line is cut off"
    names = {name for words in sections(text).values() for name in words}
    assert names >= {one for one in COMMANDS.builtin if " " not in one} or group
    commands = text.partition("Start:" if not group else "Commands:")[2]
    assert all(re.match(r"  \S+ +\S.*\.$|\S+:$|$", line) for line in commands.splitlines()), text


def test_the_commands_stand_under_the_headings_in_order() -> None:
    found = sections(help_of())
    headings = [group.value for group in HelpGroup if group.value in found]
    assert [one for one in found if one != "Options"] == headings
    assert found["Start"][:4] == ["exam", "demo", "init", "check"]
    assert found["Run"][:3] == ["plan", "run", "gate"]
    assert "insert" in found["Deeper"]
    assert "requirements" in found["Data"]
    assert "Other" not in found, "a command of ours names no heading"


def test_a_command_of_a_method_names_its_own_heading() -> None:
    own = {name for names in OWN.values() for name in names}
    assert not own & set(METHOD_COMMANDS.builtin)


def test_no_command_of_the_table_stands_under_two_headings() -> None:
    names = [name for names in OWN.values() for name in names]
    assert len(names) == len(set(names))


class Named:
    """A command that names its heading as a plug-in would."""

    def __init__(self, help_group: object) -> None:
        self.help_group = help_group


@pytest.mark.parametrize(
    ("command", "group"),
    [
        (Named("look"), HelpGroup.LOOK),
        (Named("Data"), HelpGroup.DATA),
        (Named("elsewhere"), HelpGroup.OTHER),
        (Named(None), HelpGroup.OTHER),
        (listed_under(HelpGroup.RUN)(lambda: None), HelpGroup.RUN),
        (lambda: None, HelpGroup.OTHER),
    ],
)
def test_a_command_is_listed_where_it_says(command: Any, group: HelpGroup) -> None:
    found = grouped({"mine": command, "run": lambda: None})
    assert "mine" in found[group]
    assert found[HelpGroup.RUN][0] == "run", "our own come first"


def arguments_of(name: str) -> dict[str, str]:
    """The metavar of each positional argument of a command."""
    context: Any = None
    command: Any = get_command(app)
    for word in name.split():
        command = command.get_command(context, word)
    shown = [one for one in command.params if one.param_type_name == "argument"]
    return {one.name: (one.metavar or one.name).strip("[]").upper() for one in shown}


@pytest.mark.parametrize("name", [one for one in COMMANDS.builtin if one not in GROUPS])
def test_a_run_folder_and_a_configuration_are_called_the_same_everywhere(name: str) -> None:
    for argument, shown in arguments_of(name).items():
        assert argument != "run" or shown == "RUN"
        assert argument != "config" or shown in {"CONFIG", "CONFIG|FOLDER"}
        assert shown not in {"PATH", "ID", "TARGET"}, "says nothing to the reader"


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_a_completion_script_is_printed_for(shell: str, tmp_path: Path) -> None:
    undetected = {"_TYPER_COMPLETE_TEST_DISABLE_SHELL_DETECTION": "1"}  # the option takes a shell
    done = fresh(["snellen", "--show-completion", shell], tmp_path, {**os.environ, **undetected})
    assert done.returncode == 0, done.stderr
    assert f"_SNELLEN_COMPLETE=complete_{shell}" in done.stdout


def test_the_shell_completes_commands_of_methods_too(tmp_path: Path) -> None:
    asked = {"_SNELLEN_COMPLETE": "complete_bash", "COMP_WORDS": "snellen in", "COMP_CWORD": "1"}
    done = fresh(["snellen"], tmp_path, {**os.environ, **asked})
    assert done.stdout.split() == ["init", "insert", "insert3d"]
