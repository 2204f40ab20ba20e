"""The cause of a failing composition."""

from __future__ import annotations

from enum import StrEnum


class Cause(StrEnum):
    """The cause of a failure."""

    INTERACTION = "interaction"
    SINGLE = "single-object"
    BACKGROUND = "background"
    UNDIAGNOSED = "undiagnosed"
