"""How a kind of method is configured and set up, and the kinds there are."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from snellen.configuration import Options
from snellen.contract.method import Method, Setting
from snellen.plugins import Registry


@dataclass(frozen=True)
class MethodKind:
    """How one kind of method is configured and set up.

    objects: whether it needs any. scenes: whether it needs any.
    """

    options: type[Options]
    prepare: Callable[[Any, Setting], Method]
    objects: bool = False
    scenes: bool = True


METHODS = Registry(
    "method",
    "snellen.methods",
    {
        "combinations": "snellen.methods.combinations.method:METHOD",
        "fusion": "snellen.methods.fusion.method:METHOD",
        "identity": "snellen.methods.identity.method:METHOD",
        "insertion": "snellen.methods.insertion.method:METHOD",
        "requirements": "snellen.methods.requirements.method:METHOD",
        "robustness": "snellen.methods.robustness.method:METHOD",
    },
)
