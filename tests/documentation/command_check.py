"""Whether the words of a command are ones that the command line knows."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

from documentation.reference.commands import Command, Parameter, commands

ROOT_NAME = "snellen"


@cache
def known() -> dict[str, Command]:
    """Every command by its name without `snellen`; the root's name is empty."""
    return {one.name.removeprefix(ROOT_NAME).strip(): one for one in commands()}


def named(words: Sequence[str]) -> Command:
    """The command that the first words name: the longest name that fits."""
    for length in (2, 1):
        if " ".join(words[:length]) in known():
            return known()[" ".join(words[:length])]
    return known()[""]


def problems(words: Sequence[str], *, whole: bool) -> list[str]:
    """What is wrong with a command; whole: it is there to be run, not only spoken of."""
    command = named(words)
    rest = list(words[len(command.name.split()) - 1 :])
    options = {name: one for one in command.parameters for name in one.names if one.is_option}
    if rest and command.is_group and not rest[0].startswith("-"):
        return [] if rest[0].isupper() else [f"no command '{rest[0]}' in {command.name}"]
    found, given = _options(rest, options, command)
    return found + (_arguments(given, command) if whole and "--help" not in rest else [])


def _options(
    rest: list[str], options: dict[str, Parameter], command: Command
) -> tuple[list[str], list[str]]:
    """What is wrong with the options, and the words that are no options and no values of one."""
    found, given = [], []
    waiting = iter(rest)
    for word in waiting:
        name, _, value = word.partition("=")
        if not name.startswith("-") or name.lstrip("-").replace(".", "").isdigit():
            given.append(word)
        elif name not in options and name != "--help":
            found.append(f"no option {name} of {command.name}")
        elif name in options and options[name].type != "flag" and not value:
            next(waiting, None)
    return found, given


def _arguments(given: list[str], command: Command) -> list[str]:
    arguments = [one for one in command.parameters if not one.is_option]
    least = sum(one.needed for one in arguments)
    most = len(arguments) if not any(one.type.endswith("...") for one in arguments) else len(given)
    if least <= len(given) <= most:
        return []
    return [f"{command.name} takes {least} to {most} arguments, found {given}"]
