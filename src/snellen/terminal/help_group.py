"""The headings of `snellen --help`, and how a command names the one it is listed under."""

from __future__ import annotations

from collections.abc import Callable
from enum import StrEnum
from typing import Any, TypeVar

Target = TypeVar("Target")
ATTRIBUTE = "help_group"


class HelpGroup(StrEnum):
    """The headings, in the order of the help."""

    START = "Start"
    RUN = "Run"
    LOOK = "Look"
    DEEPER = "Deeper"
    DATA = "Data"
    OTHER = "Other"


def listed_under(group: HelpGroup) -> Callable[[Target], Target]:
    """A decorator for a command: a function, or a `typer.Typer`.

    It sets the attribute `help_group`, which a plug-in may also set itself, to a heading's name.
    """

    def mark(command: Target) -> Target:
        setattr(command, ATTRIBUTE, group)
        return command

    return mark


def named_group(command: Any) -> HelpGroup:
    """The heading that a command names; `OTHER` if it names none, or one that does not exist.

    >>> named_group(print)
    <HelpGroup.OTHER: 'Other'>
    """
    name = str(getattr(command, ATTRIBUTE, "")).capitalize()
    return HelpGroup(name) if name in set(HelpGroup) else HelpGroup.OTHER
