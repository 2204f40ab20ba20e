"""The headings of `snellen --help` with the command line's own commands under each."""

from __future__ import annotations

from typing import Any

from snellen.terminal.help_group import HelpGroup, named_group

OWN = {
    HelpGroup.START: ("exam", "demo", "init", "check", "docs"),
    HelpGroup.RUN: ("plan", "run", "gate", "verify"),
    HelpGroup.LOOK: ("report", "explain", "replay", "compare", "export"),
    HelpGroup.DEEPER: ("repair", "study"),
    HelpGroup.DATA: ("starter", "objects", "schema"),
}
"""Names under each heading, in order. A command of a method or a plug-in names its own heading by
the attribute `help_group` and comes after these."""


def grouped(commands: dict[str, Any]) -> dict[HelpGroup, list[str]]:
    """The names of some commands under their headings, in the order of the help.

    commands: what is registered under each name.
    """
    found: dict[HelpGroup, list[str]] = {group: [] for group in HelpGroup}
    for group, names in OWN.items():
        found[group] += [name for name in names if name in commands]
    listed = {name for names in found.values() for name in names}
    for name, command in commands.items():
        if name not in listed:
            found[named_group(command)].append(name)
    return {group: names for group, names in found.items() if names}
