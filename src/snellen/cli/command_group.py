"""Every command by name, and groups that import a command when it is used."""

from __future__ import annotations

from collections.abc import Container
from typing import Any, ClassVar

import typer
from typer.core import TyperGroup
from typer.main import get_command, get_group

from snellen.cli.help_groups import grouped
from snellen.engine.interrupts import interruption_code, interruption_word
from snellen.methods.commands import COMMANDS as METHOD_COMMANDS
from snellen.plugins import Registry

COMMANDS = Registry(
    METHOD_COMMANDS.what,
    METHOD_COMMANDS.group,
    {
        "demo": "snellen.cli.demo:demo",
        "exam": "snellen.cli.exam:exam",
        "docs": "snellen.cli.docs:docs",
        "init": "snellen.cli.init:init",
        "check": "snellen.cli.check:check",
        "plan": "snellen.cli.plan:plan",
        "run": "snellen.cli.run:run",
        "gate": "snellen.cli.gate:gate",
        "report": "snellen.cli.report:report",
        "replay": "snellen.cli.replay:replay",
        "explain": "snellen.cli.explain:explain",
        "verify": "snellen.cli.verify:verify",
        "export": "snellen.cli.export:export",
        "repair": "snellen.cli.repair:repair",
        "compare": "snellen.cli.compare:compare",
        **METHOD_COMMANDS.builtin,
        "study": "snellen.cli.study.group:app",
        "schema": "snellen.cli.schema:schema",
        "objects": "snellen.cli.objects:app",
        "starter": "snellen.cli.starter:app",
    },
)

_LIMIT = 200
"""Characters of a command's line before it is cut off; a longer line is wrapped."""


class CommandGroup(TyperGroup):
    """A group of the commands in `COMMANDS` whose name is the prefix and one word.

    A plug-in that does not import is left out of the list with a warning; to call it is an error.
    """

    prefix: ClassVar[str] = ""

    def invoke(self, ctx: Any) -> Any:
        """Run the command; an interrupt that it does not catch ends it with code 130 or 143."""
        try:
            return super().invoke(ctx)
        except KeyboardInterrupt as interrupt:
            typer.echo(interruption_word(interrupt), err=True)
            raise typer.Exit(interruption_code(interrupt)) from None

    def list_commands(self, ctx: Any) -> list[str]:
        """The commands' names: registered ones, built-in ones, those of plug-ins."""
        broken, start = COMMANDS.broken(), len(self.prefix)
        names = [kind[start:] for kind in COMMANDS.kinds() if self._has(kind, broken)]
        return list(dict.fromkeys([*self.commands, *names]))

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        """The command of a name, imported now, or None if there is none."""
        kind = f"{self.prefix}{cmd_name}"
        if cmd_name in self.commands:
            return self.commands[cmd_name]
        if kind in COMMANDS.builtin or kind in COMMANDS.kinds():
            return _command(cmd_name, COMMANDS.load(kind))
        # typer suggests the closest of these names
        self.commands = {name: self.get_command(ctx, name) for name in self.list_commands(ctx)}
        return None

    def format_commands(self, ctx: Any, formatter: Any) -> None:
        """Write the commands, those of the top level under headings."""
        if self.prefix:
            super().format_commands(ctx, formatter)
            return
        commands = {name: self.get_command(ctx, name) for name in self.list_commands(ctx)}
        widest = max(map(len, commands))
        for group, names in grouped({name: COMMANDS.load(name) for name in commands}).items():
            with formatter.section(group.value):
                texts = [commands[name].get_short_help_str(limit=_LIMIT) for name in names]
                rows = [(name.ljust(widest), text) for name, text in zip(names, texts, strict=True)]
                formatter.write_dl(rows)

    def _has(self, kind: str, broken: Container[str]) -> bool:
        start, word = kind[: len(self.prefix)], kind[len(self.prefix) :]
        return start == self.prefix and " " not in word and kind not in broken


def _command(name: str, target: Any) -> Any:
    """The command of a function, or the group of a `typer.Typer`."""
    if isinstance(target, typer.Typer):
        group = get_group(target)
        group.name = name
        return group
    app = typer.Typer(add_completion=False, rich_markup_mode=None)
    app.command(name)(target)
    return get_command(app)
