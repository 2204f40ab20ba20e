"""Every command of `snellen` with its parameters, as the command line has them."""

from __future__ import annotations

import inspect
import types
from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum
from pathlib import Path
from typing import Annotated, Any, Literal, Union, get_args, get_origin, get_type_hints

from typer.main import get_command

from snellen.cli.command_group import COMMANDS
from snellen.cli.main import app

COMPLETION = ("install_completion", "show_completion")
"""Options that the library of the command line adds."""
TYPES = {Path: "path", bool: "flag", float: "number", int: "integer", str: "text"}


@dataclass(frozen=True)
class Parameter:
    """An argument or option. names: how it is written; default: None where there is none."""

    names: tuple[str, ...]
    type: str
    default: str | None
    needed: bool
    help: str

    @property
    def is_option(self) -> bool:
        """Whether it is written with dashes."""
        return self.names[0].startswith("-")


@dataclass(frozen=True)
class Command:
    """A command, such as `snellen run`, or a group of commands, which has no parameters."""

    name: str
    help: str
    parameters: tuple[Parameter, ...]
    is_group: bool


def commands() -> Iterator[Command]:
    """Every command that Snellen itself brings, groups before what is in them."""
    root: Any = get_command(app)
    own = {name.partition(" ")[0] for name in COMMANDS.load_all(own=True)}
    yield Command("snellen", root.help, _parameters(root), is_group=True)
    for name in sorted(set(root.list_commands(None)) & own):
        yield from _commands(f"snellen {name}", root.get_command(None, name))


def _commands(name: str, found: Any) -> Iterator[Command]:
    inner = found.list_commands(None) if hasattr(found, "list_commands") else []
    text = inspect.cleandoc(found.help or "").partition("\f")[0].strip()
    yield Command(name, text, _parameters(found), is_group=bool(inner))
    for one in inner:
        yield from _commands(f"{name} {one}", found.get_command(None, one))


def _parameters(found: Any) -> tuple[Parameter, ...]:
    function = inspect.unwrap(found.callback) if found.callback else None
    hints = get_type_hints(function, include_extras=True) if function else {}
    hidden = [one for one in found.params if getattr(one, "hidden", False)]
    shown = [one for one in found.params if one not in hidden and one.name not in COMPLETION]
    return tuple(_parameter(one, hints.get(one.name, str)) for one in shown)


def _parameter(given: Any, hint: Any) -> Parameter:
    option = given.param_type_name == "option"
    names = tuple([*given.opts, *given.secondary_opts] if option else [given.name.upper()])
    has_default = str(given.default) not in ("None", "False", "()", "[]")
    return Parameter(
        names=names,
        type=_type(hint),
        default=_plain(given.default) if has_default else None,
        needed=given.required,
        help=" ".join((given.help or "").split()),
    )


def _type(hint: Any) -> str:
    """What a parameter takes, in words; `...` where it may be given several times."""
    if get_origin(hint) is Annotated:
        hint, *notes = get_args(hint)
        return _type(hint) + "".join(_bounds(note) for note in notes)
    parts = [one for one in get_args(hint) if one not in (type(None), Ellipsis)]
    if get_origin(hint) is Literal:
        return " or ".join(f"`{one}`" for one in parts)
    if get_origin(hint) in (Union, types.UnionType):
        return " or ".join(map(_type, parts))
    if get_origin(hint) in (list, tuple):
        return f"{_type(parts[0])}..."
    if isinstance(hint, type) and issubclass(hint, Enum):
        return " or ".join(f"`{one.value}`" for one in hint)
    return TYPES.get(hint, "text")


def _bounds(note: Any) -> str:
    low, high = getattr(note, "min", None), getattr(note, "max", None)
    least = f", at least {low}" if low is not None else ""
    return least + (f", at most {high}" if high is not None else "")


def _plain(value: Any) -> str:
    if isinstance(value, list | tuple):
        return " ".join(map(_plain, value))
    return str(value.value if isinstance(value, Enum) else value)
