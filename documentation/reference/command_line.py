"""The reference of the command line."""

from __future__ import annotations

from documentation.reference.commands import Command, Parameter, commands
from documentation.reference.markdown import page, table

NAME = "command-line.md"
INTRODUCTION = (
    "Exit codes of every command: 0, success; 1, a requirement is violated; 2, a mistake in the "
    "input; 3, no verdict; 130, interrupted. Commands of plug-ins and the options "
    "`--install-completion` and `--show-completion` are in `snellen --help`."
)


def command_line_page() -> str:
    """The text of the page."""
    found = list(commands())
    lines = [INTRODUCTION, "", *table(("command", "what it does"), map(_row, found[1:]))]
    for one in found:
        lines += _section(one)
    return page("Command line", lines)


def _row(command: Command) -> tuple[str, str]:
    anchor = command.name.replace(" ", "-")
    return f"[`{command.name}`](#{anchor})", command.help.partition("\n")[0]


def _section(command: Command) -> list[str]:
    usage = [command.name, *(_word(one) for one in command.parameters if not one.is_option)]
    usage += ["[OPTIONS]"] if any(one.is_option for one in command.parameters) else []
    usage += ["COMMAND"] if command.is_group else []
    lines = [f"## {command.name}", "", command.help, "", "```text", " ".join(usage), "```", ""]
    if command.parameters:
        heads = ("argument or option", "takes", "default", "meaning")
        lines += table(heads, map(_parameter_row, command.parameters))
    return lines


def _word(parameter: Parameter) -> str:
    word = parameter.names[0] + ("..." if parameter.type.endswith("...") else "")
    return word if parameter.needed else f"[{word}]"


def _parameter_row(one: Parameter) -> tuple[str, str, str, str]:
    names = ", ".join(f"`{name}`" for name in one.names)
    default = "must be given" if one.needed else f"`{one.default}`" if one.default else ""
    return names, one.type, default, one.help
