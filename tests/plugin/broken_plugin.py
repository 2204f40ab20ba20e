"""Plug-ins that are wrong: a method instead of its kind, and options that have no schema."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from snellen.configuration import Options
from snellen.methods.kind import MethodKind


class OddOptions(Options):
    call: Callable[[int], int] = abs


def prepare(options: OddOptions, setting: Any) -> Any:
    raise NotImplementedError


METHOD = OddOptions
ODD = MethodKind(OddOptions, prepare)
